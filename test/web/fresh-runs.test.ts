import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { FreshRuns } from '../../src/web/fresh-runs.ts'

describe('fresh runs', () => {
  it('share one run between all who ask the same', async () => {
    const runs = new FreshRuns<string>(1)
    const work = Promise.withResolvers<string>()
    let starts = 0
    const start = () => {
      starts++
      return work.promise
    }
    const answers = [runs.run('a', idle(), start), runs.run('a', idle(), start)]
    work.resolve('done')
    expect(await Promise.all(answers)).toEqual(['done', 'done'])
    expect(starts).toBe(1)
  })

  it('start afresh for whoever asks after the end', async () => {
    const runs = new FreshRuns<number>(1)
    let starts = 0
    const start = async () => ++starts
    await runs.run('a', idle(), start)
    expect(await runs.run('a', idle(), start)).toBe(2)
  })

  it('refuse what exceeds the limit until a run has ended, well or badly', async () => {
    const runs = new FreshRuns<string>(1)
    const work = Promise.withResolvers<string>()
    const first = runs.run('a', idle(), () => work.promise)
    await expect(runs.run('b', idle(), async () => 'b')).rejects.toMatchObject({ code: 'too_many_runs' })
    work.reject(new Error('broken'))
    await expect(first).rejects.toThrow('broken')
    expect(await runs.run('b', idle(), async () => 'b')).toBe('b')
  })

  it('go on while one client of two is left, and are aborted with the last', async () => {
    const runs = new FreshRuns<string>(1)
    const [one, two] = [new AbortController(), new AbortController()]
    const { start, signals } = untilAborted()
    const answers = [runs.run('a', one.signal, start), runs.run('a', two.signal, start)]
    one.abort()
    expect(signals[0]?.aborted).toBe(false)
    two.abort()
    expect(signals[0]?.aborted).toBe(true)
    await Promise.allSettled(answers)
    expect(signals).toHaveLength(1)
  })

  it('keep the place of an aborted run until it has ended', async () => {
    const runs = new FreshRuns<string>(1)
    const client = new AbortController()
    const work = Promise.withResolvers<string>()
    const first = runs.run('a', client.signal, () => work.promise)
    client.abort()
    await expect(runs.run('a', idle(), async () => 'again')).rejects.toMatchObject({ code: 'too_many_runs' })
    work.resolve('late')
    await first
    expect(await runs.run('a', idle(), async () => 'again')).toBe('again')
  })

  it('do not hand an aborted run to a newcomer', async () => {
    const runs = new FreshRuns<string>(2)
    const client = new AbortController()
    const work = Promise.withResolvers<string>()
    const first = runs.run('a', client.signal, () => work.promise)
    client.abort()
    expect(await runs.run('a', idle(), async () => 'fresh')).toBe('fresh')
    work.resolve('late')
    await first
  })

  it('are aborted at once for a client that was gone before', async () => {
    const runs = new FreshRuns<string>(1)
    const { start, signals } = untilAborted()
    await expect(runs.run('a', AbortSignal.abort(), start)).rejects.toThrow()
    expect(signals[0]?.aborted).toBe(true)
  })

  it('end as closing when the surface closes, and start no more', async () => {
    const runs = new FreshRuns<string>(1)
    const answer = runs.run('a', idle(), untilAborted().start)
    runs.close()
    await expect(answer).rejects.toMatchObject({ code: 'closing' })
    await expect(runs.run('b', idle(), async () => 'b')).rejects.toMatchObject({ code: 'closing' })
  })
})

function idle(): AbortSignal {
  return new AbortController().signal
}

function untilAborted(): { start: (signal: AbortSignal) => Promise<string>; signals: AbortSignal[] } {
  const signals: AbortSignal[] = []
  const start = async (signal: AbortSignal) => {
    signals.push(signal)
    if (!signal.aborted) await once(signal, 'abort')
    throw signal.reason
  }
  return { start, signals }
}
