import { systemClock } from '../../src/net/clock.ts'
import { Starvation } from '../../src/net/starvation.ts'

/** Says `ready`, and then what it suffered once it has been stopped for a while. */
const starvation = new Starvation(systemClock)
const mark = starvation.mark()
const timer = setInterval(() => {
  if (starvation.lagSince(mark) < 0.3) return
  clearInterval(timer)
  process.send?.({
    noise: starvation.since(mark),
    lag: starvation.lagSince(mark),
    elapsed: systemClock.now() - mark.at,
  })
  process.disconnect?.()
}, 10)
process.send?.('ready')
