/** The style of the page to try calls: both colour schemes, readable at any width. */
export const PAGE_STYLE = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h2 { margin-top: 2rem; }
details { border-top: 1px solid GrayText; padding: 0.25rem 0; }
summary { cursor: pointer; padding: 0.25rem 0; overflow-wrap: anywhere; }
.method { display: inline-block; min-width: 4.5em; font-weight: 700; }
form { padding: 0 1rem 1rem; }
label { display: block; font-weight: 600; }
input, textarea { width: 100%; box-sizing: border-box; font: inherit; padding: 0.25rem; }
textarea, pre, code { font-family: ui-monospace, monospace; }
pre { border: 1px solid GrayText; padding: 0.5rem; overflow: auto; max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere; }
button { font: inherit; padding: 0.25rem 1rem; }
`;
