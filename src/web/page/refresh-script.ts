/**
 * Replaces `#live` every 5 s while the page is visible, with focus and selection kept. When that fails, the page
 * says since when, and dims what it still shows. Without script the page is complete, and does not refresh.
 */
export const REFRESH_SCRIPT = `'use strict'
const EVERY_MS = 5000
const LIMIT_MS = 4000
const problem = document.getElementById('refresh-problem')

function isSelecting() {
  const selection = document.getSelection()
  return selection !== null && !selection.isCollapsed
}

function show(next) {
  const live = document.getElementById('live')
  const focused = document.activeElement === null ? '' : document.activeElement.id
  const scrolled = new Map()
  for (const box of live.querySelectorAll('.scroll')) scrolled.set(box.id, box.scrollLeft)
  live.replaceWith(document.adoptNode(next.getElementById('live')))
  document.title = next.title
  for (const [id, left] of scrolled) {
    const box = document.getElementById(id)
    if (box !== null) box.scrollLeft = left
  }
  if (focused !== '') {
    const again = document.getElementById(focused)
    if (again !== null) again.focus({ preventScroll: true })
  }
}

function setProblem(text) {
  if (problem.textContent !== text) problem.textContent = text
  document.body.classList.toggle('old', text !== '')
}

async function refresh() {
  if (document.hidden || isSelecting()) return
  try {
    const response = await fetch(location.href, { cache: 'no-store', signal: AbortSignal.timeout(LIMIT_MS) })
    if (!response.ok) throw new Error('status ' + response.status)
    const next = new DOMParser().parseFromString(await response.text(), 'text/html')
    if (next.getElementById('live') === null) throw new Error('another page answered')
    if (isSelecting()) return
    show(next)
    setProblem('')
  } catch (error) {
    setProblem('These numbers are of ' + document.getElementById('as-of').textContent + ': the agent does not answer.')
    console.warn('Cannot refresh:', error)
  }
}

async function keepRefreshing() {
  await refresh()
  setTimeout(keepRefreshing, EVERY_MS)
}

setTimeout(keepRefreshing, EVERY_MS)
document.addEventListener('visibilitychange', refresh)
`
