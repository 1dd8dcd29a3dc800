import type { WindowView } from '../model/view.ts'

export interface Loss {
  /** Failed or skipped of all that were due, with the resolution in sight: `3/1200`. */
  readonly text: string
  /** `0.25%`; absent when nothing was lost. */
  readonly percent?: string
}

/** What was lost in a window, for a person; undefined while nothing was due. */
export function lossOf(window: WindowView): Loss | undefined {
  const lost = window.failed + window.skipped
  const due = window.ok + lost
  if (due === 0) return undefined
  const text = `${lost}/${due}`
  return lost === 0 ? { text } : { text, percent: `${formatPercent((100 * lost) / due)}%` }
}

function formatPercent(percent: number): string {
  return percent >= 10 ? percent.toFixed(0) : Number(percent.toPrecision(2)).toString()
}
