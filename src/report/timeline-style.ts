/** The style of the timeline page: light and dark after the reader's system; every colour has a name that the script reads. */
export const timelineStyle = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f5f7f9; --edge: #d3d9e0; --text: #1b2027; --muted: #56606b; --lane: #e3e7ec; --focus: #0b5fc0;
  --deliver: #0b5fc0; --timer: #8a5700; --task: #6338b8; --chosen: #c2410c; --failed: #c01f2b; --faint: #8a949f;
  --chosen-row: #fff3e6; --selected-row: #dfecfb; --gap: #f1f3f6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12151a; --panel: #1a1f26; --edge: #363f4a; --text: #e7ebf0; --muted: #a2adb9; --lane: #2a313a; --focus: #79b8ff;
    --deliver: #6cb2ff; --timer: #e3b04b; --task: #bfa3ff; --chosen: #ff9d57; --failed: #ff7d78; --faint: #657281;
    --chosen-row: #33261a; --selected-row: #1d3653; --gap: #181c22;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0; height: 100vh; min-height: 34rem; display: flex; flex-direction: column; background: var(--page); color: var(--text);
  font: 14px/1.45 system-ui, -apple-system, "Segoe UI", sans-serif;
}
header { padding: .75rem 1rem .5rem; }
h1 { font-size: 1.15rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: .95rem; margin: 0 0 .5rem; }
h3 { font-size: .85rem; margin: 0 0 .3rem; color: var(--muted); }
p { margin: .2rem 0; overflow-wrap: anywhere; }
.outcome { white-space: pre-wrap; max-height: 5.6rem; overflow: auto; }
.outcome.failed { color: var(--failed); font-weight: 600; }
.facts { color: var(--muted); }
code, pre, td, .rows { font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12.5px; }
.token { display: flex; gap: .5rem; align-items: center; }
.token code { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; user-select: all; }
.bar {
  display: flex; flex-wrap: wrap; gap: .4rem .5rem; align-items: center; padding: .4rem 1rem; border-top: 1px solid var(--edge);
  border-bottom: 1px solid var(--edge); background: var(--panel);
}
.bar .key { margin-left: auto; color: var(--muted); display: flex; gap: .8rem; flex-wrap: wrap; }
button, select {
  font: inherit; color: var(--text); background: var(--page); border: 1px solid var(--edge); border-radius: 5px; padding: .15rem .6rem;
  min-height: 28px; cursor: pointer;
}
button:hover:enabled { border-color: var(--focus); }
button:disabled { color: var(--muted); cursor: default; opacity: .6; }
button.link { border: 0; background: none; padding: 0; min-height: 24px; min-width: 24px; text-align: left; color: var(--focus); text-decoration: underline; }
label { display: inline-flex; gap: .35rem; align-items: center; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
#scroll { position: relative; overflow: auto; flex: 0 0 auto; max-height: 45vh; border-bottom: 1px solid var(--edge); }
#scroll:focus-visible { outline-offset: -2px; }
#space { min-width: 100%; }
#lanes { position: sticky; left: 0; top: 0; display: block; }
main { flex: 1 1 0; min-height: 0; display: grid; grid-template-columns: minmax(18rem, 3fr) minmax(16rem, 2fr); }
main > section { min-height: 0; overflow: auto; padding: .75rem 1rem; }
main > .all { padding: 0; border-left: 1px solid var(--edge); display: flex; flex-direction: column; }
.all h2 { padding: .75rem 1rem 0; }
.rows { position: relative; flex: 1; overflow: auto; }
.rows [role=option] {
  position: absolute; left: 0; right: 0; height: 26px; line-height: 26px; padding: 0 1rem; display: flex; gap: .8rem; white-space: nowrap;
  cursor: pointer;
}
.rows .n { flex: 0 0 auto; min-width: var(--digits, 3ch); text-align: right; color: var(--muted); }
.rows .t { flex: 0 0 7.5rem; color: var(--muted); }
.rows .w { overflow: hidden; text-overflow: ellipsis; }
.rows .unneeded .w { color: var(--muted); }
.rows .chosen { background: var(--chosen-row); }
.rows .failed .w { color: var(--failed); font-weight: 600; }
.rows [aria-selected=true] { background: var(--selected-row); box-shadow: inset 3px 0 var(--focus); }
.columns { display: grid; grid-template-columns: minmax(14rem, 1fr) minmax(14rem, 1fr); gap: 0 1.5rem; }
.columns > div { display: flex; flex-direction: column; gap: .9rem; }
dl { align-content: start; display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; margin: 0; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
dd.links { display: flex; gap: .2rem .6rem; flex-wrap: wrap; }
table { border-collapse: collapse; }
th { text-align: left; font-size: .85rem; font-weight: 400; color: var(--muted); padding: .1rem 1.2rem .1rem 0; }
td { padding: .1rem 1.2rem .1rem 0; overflow-wrap: anywhere; }
tr.chosen td { color: var(--chosen); font-weight: 600; }
pre { margin: 0; padding: .5rem; background: var(--panel); border: 1px solid var(--edge); border-radius: 5px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 16rem; overflow: auto; }
#tip {
  position: fixed; z-index: 2; max-width: 26rem; padding: .35rem .6rem; background: var(--panel); border: 1px solid var(--edge);
  border-radius: 5px; box-shadow: 0 2px 8px #0004; pointer-events: none; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px;
}
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 46rem) {
  body { height: auto; }
  #scroll { max-height: 20rem; }
  .columns { grid-template-columns: 1fr; gap: 1rem; }
  main { flex: none; grid-template-columns: 1fr; }
  main > .all { border-left: 0; border-top: 1px solid var(--edge); height: 24rem; }
}
@media (prefers-contrast: more) { :root { --muted: var(--text); --edge: var(--text); } }
`
