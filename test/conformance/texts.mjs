/** Characters of several UTF-16 units, of several code points, and a space. */
export const astral = "日本😀e\u0301👩‍👩‍👧‍👦 z"

/** One word of 300 kB with what readers of lines and of JSON stumble over. */
export const longWord = '\u2028\u0085\0\u007f"\\</script>'.repeat(18_000)

/** What a proxy says that has lost its server. */
export const html = "<!doctype html>\n<html><body>\n\n<h1>Bad gateway</h1>\n\n</body></html>\n"
