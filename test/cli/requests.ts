/** A chat request with so many tools; two or more make it foreground. */
export const postChat = (
  url: string,
  options: { readonly tools?: number; readonly stream?: boolean; readonly headers?: Record<string, string> } = {}
): Promise<Response> =>
  fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...options.headers },
    body: JSON.stringify({
      model: "m",
      messages: [{ role: "user", content: "ping" }],
      stream: options.stream ?? false,
      ...(options.tools === undefined ? {} : { tools: Array.from({ length: options.tools }, () => ({})) })
    })
  })

/** The text of an assistant in a chat stream. */
export const chatText = async (response: Response): Promise<string> =>
  [...(await response.text()).matchAll(/^data: (\{.*)$/gm)]
    .map(([, data]) => JSON.parse(data ?? "").choices[0]?.delta.content ?? "")
    .join("")
