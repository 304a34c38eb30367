/** What stands in the page before its script runs; texts are HTML already. */
export interface PageParts {
  readonly title: string
  readonly outcome: string
  readonly isFailed: boolean
  readonly facts: string
  /** The line that replays the run; empty when there is none. */
  readonly replay: string
  readonly style: string
  readonly script: string
  /** What the page may load and run: nothing but its own style and script. */
  readonly policy: string
  /** JSON that cannot end its element. */
  readonly data: string
}

/** The timeline page. It is one file, and asks the network for nothing. */
export const timelinePage = (parts: PageParts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${parts.policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${parts.title}</title>
<link rel="icon" href="data:,">
<style>${parts.style}</style>
</head>
<body>
<header>
<h1>${parts.title}</h1>
<p class="outcome${parts.isFailed ? " failed" : ""}"${parts.isFailed ? ' tabindex="0" role="group" aria-label="What failed"' : ""}>${parts.outcome}</p>
<p class="facts">${parts.facts}</p>
${parts.replay === "" ? "" : `<p class="token"><span>Replay:</span> <code id="replay">${parts.replay}</code> <button id="copy">Copy</button></p>`}
</header>
<div class="bar" role="toolbar" aria-label="Steps" aria-controls="scroll rows details">
<button id="first" aria-label="First step" title="First step (Home)">|◀</button>
<button id="back" title="Step back (left arrow)">◀ Back</button>
<button id="forward" title="Step forward (right arrow)">Forward ▶</button>
<button id="last" aria-label="Last step" title="Last step (End)">▶|</button>
<button id="to-failure" title="Go to where it failed (F)">To the failure</button>
<label><input type="checkbox" id="only"> Only what matters</label>
<label>Time <select id="scale">
<option value="log">idle time shortened</option>
<option value="order">in equal steps</option>
<option value="linear">true to scale</option>
</select></label>
<button id="out" aria-label="Narrower">−</button>
<button id="in" aria-label="Wider">+</button>
<span class="key" aria-hidden="true"><span>● delivery</span><span>▲ timer</span><span>■ task</span><span>◇ chosen</span><span>✕ failed</span></span>
</div>
<div id="scroll" tabindex="0" role="group" aria-label="Timeline" aria-describedby="keys">
<div id="space"><canvas id="lanes" role="img" aria-label="Timeline; the list of all steps says the same in words"></canvas></div>
</div>
<main>
<section id="details" aria-label="The step" tabindex="0">
<h2 id="at">No steps</h2>
<div class="columns">
<dl id="what"></dl>
<div>
<div id="note-part"><h3>Note</h3><p id="note"></p></div>
<div id="draws-part"><h3>Choices</h3><table aria-label="Choices"><thead><tr><th scope="col">label</th><th scope="col">answer</th><th scope="col">of</th></tr></thead><tbody id="draws"></tbody></table></div>
<div id="states-part"><h3>States after this step</h3><table aria-label="States after this step"><thead><tr><th scope="col">actor</th><th scope="col">state</th><th scope="col">since step</th></tr></thead><tbody id="states"></tbody></table></div>
<div id="bytes-part"><h3>Bytes</h3><pre id="bytes" tabindex="0" role="group" aria-label="Bytes"></pre></div>
</div>
</div>
</section>
<section class="all" aria-label="All steps">
<h2 id="list-title">All steps</h2>
<div id="rows" class="rows" role="listbox" tabindex="0" aria-labelledby="list-title" aria-describedby="keys"></div>
</section>
</main>
<p id="keys" class="unseen">Left and right arrow: step back and forward. Up and down arrow in the timeline: the same actor's steps. Home, End: first and last step. C: the cause. F: the failure.</p>
<p id="said" class="unseen" role="status" aria-live="polite"></p>
<div id="tip" aria-hidden="true" hidden></div>
<noscript><p>This page shows its steps by a script of its own.</p></noscript>
<script type="application/json" id="run">${parts.data}</script>
<script>${parts.script}</script>
</body>
</html>
`
