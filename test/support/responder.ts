import { kinds } from '../../src/kinds/index.ts'
import { systemClock } from '../../src/net/clock.ts'
import { Starvation } from '../../src/net/starvation.ts'
import type { ConnectionLimits } from '../../src/respond/admission.ts'
import { type Responder, startResponder } from '../../src/respond/responder.ts'
import { PEER_NODE } from './checks.ts'

export interface TestResponder extends Responder {
  /** Value of a family of its own, by its labels' values. */
  value(family: string, label?: string): number
  /** How often it turned something away, by reason. */
  rejects(): Readonly<Record<string, number>>
}

const LIMITS: ConnectionLimits = {
  connections: 2000,
  perAddress: 1000,
  perSource: 200,
  hold: 7200,
  bytesPerSecond: 8 * 1024 * 1024,
}

export interface TestResponderOptions {
  readonly limits?: Partial<ConnectionLimits>
  readonly node?: string
  readonly zone?: string
  readonly arrival?: number
}

/** A responder with the ends of all kinds, on free ports of loopback. */
export async function openResponder(options: TestResponderOptions = {}): Promise<TestResponder> {
  const starvation = new Starvation(systemClock)
  const responder = await startResponder({
    place: { node: options.node ?? PEER_NODE, zone: options.zone ?? 'zone-b' },
    version: '1.2.3',
    limits: { ...LIMITS, ...options.limits },
    clock: systemClock,
    starvation,
    listen: { http: { host: '127.0.0.1', port: 0 }, tcp: { host: '127.0.0.1', port: 0 } },
    prefix: '/pathmeter',
    mounts: Object.values(kinds).flatMap(({ mount }) => mount ?? []),
    ...(options.arrival === undefined ? {} : { arrival: options.arrival }),
  })
  const samples = (name: string) =>
    [...responder.collect(systemClock.now())]
      .filter(({ family }) => family.name === name)
      .flatMap((collected) => [...collected.samples])
  return {
    ...responder,
    value(family, label) {
      const found = samples(family).find(
        ({ labels }) => label === undefined || Object.values(labels ?? {}).includes(label),
      )
      return found?.value ?? 0
    },
    rejects: () =>
      Object.fromEntries(
        samples('responder_rejects_total').map(({ labels, value }) => [labels?.['reason'], value]),
      ),
    async [Symbol.asyncDispose]() {
      await responder[Symbol.asyncDispose]()
      starvation[Symbol.dispose]()
    },
  }
}
