/** The page's style: system fonts, figures of one width, two colour schemes, cards below 900 px. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f6f4;
  --surface: #ffffff;
  --text: #1b1d21;
  --muted: #5d636d;
  --line: #e2e2de;
  --link: #1f5f93;
  --ok: #1b7a46;
  --failing: #b3241c;
  --failing-ground: #fdf2f0;
  --stale: #835b00;
  --notice-ground: #fdf6e3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #111316;
    --surface: #191c20;
    --text: #e7e8ea;
    --muted: #9ba1ab;
    --line: #2b3036;
    --link: #8bbfe8;
    --ok: #62cf96;
    --failing: #ff8d82;
    --failing-ground: #2a1a1a;
    --stale: #e3b75c;
    --notice-ground: #2a2415;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  padding: 28px 24px 40px;
  max-width: 1240px;
  background: var(--ground);
  color: var(--text);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
h1, h2, p { margin: 0; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 3px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.sub, .unit, .place, .use { color: var(--muted); font-weight: 400; }
.sub { font-size: 13px; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

header.page { display: flex; flex-wrap: wrap; align-items: end; gap: 10px 28px; margin-bottom: 24px; }
.product { color: var(--muted); font-size: 13px; letter-spacing: .02em; }
h1 { font-size: 26px; line-height: 1.2; font-weight: 650; letter-spacing: -.01em; }
.place { font-size: 17px; letter-spacing: 0; margin-left: 4px; }
.summary { font-weight: 600; margin-right: auto; padding-bottom: 2px; }
header.page nav { color: var(--muted); font-size: 14px; padding-bottom: 2px; }
header.page nav a { display: inline-block; padding: 2px 7px; border-radius: 5px; text-decoration: none; }
header.page nav a:hover { text-decoration: underline; }
header.page nav a[aria-current] { color: var(--text); font-weight: 600; background: var(--line); }
header.page nav time { margin-left: 12px; white-space: nowrap; }

.mark { display: inline-flex; align-items: baseline; gap: 7px; white-space: nowrap; }
.mark svg { width: 11px; height: 11px; flex: none; fill: currentColor; }
.mark.ok { color: var(--ok); }
.mark.failing { color: var(--failing); font-weight: 600; }
.mark.stale { color: var(--stale); font-weight: 600; }
.mark.unmeasured { color: var(--muted); }
.starved { color: var(--stale); white-space: nowrap; }

#refresh-problem:not(:empty), .notice {
  background: var(--notice-ground);
  border: 1px solid var(--stale);
  border-radius: 8px;
  padding: 9px 14px;
  margin-bottom: 18px;
}
.old #live { opacity: .55; }

.zone { margin-bottom: 30px; }
.zone > header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 18px; margin: 0 2px 9px; }
h2 { font-size: 18px; font-weight: 650; }
.tally { display: flex; flex-wrap: wrap; gap: 2px 14px; color: var(--muted); font-size: 14px; margin-right: auto; }
.tax { color: var(--muted); font-size: 14px; }
.tax .amount { white-space: nowrap; }
.tax .amount + .amount::before { content: "· "; }
.tax b { color: var(--text); font-weight: 600; }

.scroll { overflow-x: auto; background: var(--surface); border: 1px solid var(--line); border-radius: 9px; }
/* Fixed widths: the columns of all zones stand under each other. */
table { width: 100%; min-width: 980px; border-collapse: collapse; table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: 7px 12px; }
.col-peer { width: 16.5%; }
.col-probe { width: 10%; }
.col-state { width: 19%; }
.col-p50, .col-p99 { width: 6%; }
.col-rtt { width: 9%; }
.col-loss { width: 8%; }
thead th { color: var(--muted); font-size: 13px; font-weight: 500; white-space: nowrap; border-bottom: 1px solid var(--line); }
tbody + tbody { border-top: 1px solid var(--line); }
tbody tr:first-child > * { padding-top: 10px; }
tbody tr:last-child > *, tbody .peer { padding-bottom: 10px; }
.number { text-align: right; white-space: nowrap; }
.peer, .col-peer { padding-left: 16px; }
.peer { font-weight: 600; }
.peer .sub { display: block; }
.state .sub { margin-left: 5px; }
.loss .sub { display: block; }
.failure, .col-failure { padding-left: 24px; padding-right: 16px; }
.failure.none, .unmeasured-value { color: var(--muted); }
.reason { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px; }
.detail { display: block; color: var(--muted); font-size: 13px; }
.lossy .count { font-weight: 600; }
tr.failing td { background: var(--failing-ground); }
tr.failing .reason { color: var(--failing); font-weight: 600; }
tr.failing .probe { box-shadow: inset 3px 0 var(--failing); }
tr.stale .number { color: var(--muted); font-style: italic; }

.empty { padding: 36px 24px; background: var(--surface); border: 1px dashed var(--line); border-radius: 9px; }
.empty p { margin-top: 6px; color: var(--muted); max-width: 60ch; }
footer { margin-top: 34px; color: var(--muted); font-size: 13px; display: grid; gap: 6px; }
footer nav { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: 14px; }

@media (max-width: 900px) {
  body { padding: 18px 14px 32px; }
  header.page { gap: 8px 20px; margin-bottom: 20px; }
  .summary { width: 100%; order: 3; }
  .scroll { overflow: visible; background: none; border: 0; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table { display: block; min-width: 0; }
  tbody { display: block; background: var(--surface); border: 1px solid var(--line); border-radius: 9px; overflow: hidden; }
  tbody + tbody { margin-top: 10px; }
  tbody tr { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 3px 10px; padding: 10px 14px; }
  tbody tr + tr { border-top: 1px solid var(--line); }
  .zone tbody tr > * { padding: 0; }
  tbody tr.failing { background: var(--failing-ground); box-shadow: inset 3px 0 var(--failing); }
  tr.failing td { background: none; }
  tr.failing .probe { box-shadow: none; }
  .zone tbody .peer { grid-column: 1 / -1; padding-bottom: 4px; }
  .peer .sub { display: inline; margin-left: 4px; }
  .probe { grid-column: 1 / 3; }
  .state { grid-column: 3 / -1; white-space: normal; text-align: right; }
  .number { text-align: left; white-space: normal; }
  .number::before, .failure.none::before { content: attr(data-label); display: block; color: var(--muted); font-size: 12px; }
  .failure { grid-column: 1 / -1; margin-top: 2px; }
  .failure.none { display: none; }
}
`
