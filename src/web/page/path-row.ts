import type { Seconds } from '../../model/duration.ts'
import type { Outcome, PathView } from '../../model/view.ts'
import { lossOf } from '../loss.ts'
import { ageOfLast } from '../staleness.ts'
import type { Condition, PathRow } from './group-paths.ts'
import { type Html, html } from './html.ts'
import { formatAge, formatClock, formatMilliseconds } from './numbers.ts'

/** A shape per condition, so that colour is never the only sign. */
const SHAPES: Readonly<Record<Condition, string>> = {
  ok: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1Z',
  failing: 'M6 .5 11.8 11H.2Z',
  stale: 'M6 0l6 6-6 6-6-6Zm0 2.6L2.6 6 6 9.4 9.4 6Z',
  unmeasured: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1Zm0 1.6a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8Z',
}

/** The cells of one path after its peer's name; each names its column, which a narrow screen shows beside it. */
export function pathCells(row: PathRow, qualifier: string, now: Seconds): Html {
  const { path, condition } = row
  return html`<td role="cell" class="probe">${path.check.kind} <span class="use">${path.check.connection}</span>${
    qualifier === '' ? undefined : html` <span class="sub">${qualifier}</span>`
  }</td>
<td role="cell" class="state">${conditionMark(condition)} ${stateNote(path, condition, now)}</td>
${number('p50 ms', path.window.p50, path.window.noisy)}
${number('p99 ms', path.window.p99, path.window.noisy)}
${number('RTT ms', path.window.rttP50)}
${lossCell(path)}
${failureCell(path, now)}`
}

export function conditionMark(condition: Condition, text: string = condition): Html {
  return html`<span class="mark ${condition}"><svg viewBox="0 0 12 12" aria-hidden="true"><path fill-rule="evenodd" d="${SHAPES[condition]}"/></svg>${text}</span>`
}

function stateNote(path: PathView, condition: Condition, now: Seconds): Html {
  if (condition === 'stale') {
    const last = path.last?.at ?? path.since
    const age = formatAge(ageOfLast(path, now) ?? 0)
    return html`<span class="sub">last ${path.state} ${time(last, now, `${age} ago`)}</span>`
  }
  const flagged = path.window.flagged
  return html`<span class="sub">${time(path.since, now, `for ${formatAge(now - path.since)}`)}${
    flagged === 0 ? undefined : html`, <span class="starved">${flagged} starved</span>`
  }</span>`
}

function number(label: string, value: Seconds | undefined, noisy?: true): Html {
  return html`<td role="cell" class="number" data-label="${label}">${noisy && '~'}${
    value === undefined ? notMeasured() : formatMilliseconds(value)
  }</td>`
}

function lossCell({ window }: PathView): Html {
  const loss = lossOf(window)
  return html`<td role="cell" class="number loss${loss?.percent === undefined ? '' : ' lossy'}" data-label="loss">${
    loss === undefined ? notMeasured() : html`<span class="count">${loss.text}</span>`
  }${loss?.percent === undefined ? undefined : html` <span class="sub">${loss.percent}</span>`}</td>`
}

function failureCell({ lastFailure }: PathView, now: Seconds): Html {
  if (lastFailure?.failure === undefined)
    return html`<td role="cell" class="failure none" data-label="last failure">none</td>`
  const { reason, phase, detail } = lastFailure.failure
  return html`<td role="cell" class="failure"><span class="reason">${reason}</span> <span class="sub">in ${phase}</span> <span class="detail">${agoOf(lastFailure, now)}: ${detail}</span></td>`
}

function agoOf(outcome: Outcome, now: Seconds): Html {
  return time(outcome.at, now, `${formatAge(now - outcome.at)} ago`)
}

function time(at: Seconds, now: Seconds, text: string): Html {
  return html`<time datetime="${new Date(at * 1000).toISOString()}" title="${formatClock(at, now)} UTC">${text}</time>`
}

function notMeasured(): Html {
  return html`<span class="unmeasured-value"><span aria-hidden="true">–</span><span class="spoken">not measured</span></span>`
}
