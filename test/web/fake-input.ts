import type { Check, CheckId } from '../../src/model/check.ts'
import type { KindName } from '../../src/model/facts.ts'
import type { Target } from '../../src/model/path.ts'
import type { Outcome, PathView, PeersView, PeerView, ProbeRow, WindowView } from '../../src/model/view.ts'
import type { WebInput } from '../../src/web/input.ts'

/** 2026-12-01T12:40:05Z. */
export const NOW = 1_796_128_805

function fakeTarget(over: Partial<Target> = {}): Target {
  return {
    identity: 'n2',
    zone: 'zone-b',
    boundary: 'cross_zone',
    via: 'pod',
    address: '10.0.2.7',
    port: 9703,
    family: 4,
    rotating: false,
    ...over,
  }
}

export function fakeCheck(
  over: Partial<Omit<Check, 'id' | 'target'>> & { target?: Partial<Target> } = {},
): Check {
  const target = fakeTarget(over.target)
  const kind: KindName = over.kind ?? 'tcp'
  const connection = over.connection ?? 'new'
  const name = [target.identity, kind, connection, target.family, target.via].join('/')
  return {
    options: {},
    every: 1,
    limit: 8,
    overlap: 8,
    ...over,
    id: fakeCheckId(name),
    kind,
    connection,
    target,
  }
}

function fakeCheckId(name: string): CheckId {
  const isId = (text: string): text is CheckId => text !== ''
  if (!isId(name)) throw new Error('Cannot name a check by nothing')
  return name
}

export function fakeOutcome(over: Partial<Outcome> = {}): Outcome {
  return {
    at: NOW - 1,
    duration: 0.00123,
    phases: { connect: 0.0005, other: 0.00073 },
    rtt: 0.00048,
    ...over,
  }
}

export function fakeFailure(over: Partial<NonNullable<Outcome['failure']>> = {}, at = NOW - 1): Outcome {
  return {
    at,
    duration: 8,
    phases: { connect: 8 },
    failure: {
      reason: 'timeout_connect',
      phase: 'connect',
      detail: 'no answer to 3 SYNs within 8.00s',
      ...over,
    },
  }
}

export function fakeWindow(over: Partial<WindowView> = {}): WindowView {
  return {
    seconds: 300,
    ok: 300,
    failed: 0,
    skipped: 0,
    flagged: 0,
    loss: 0,
    p50: 0.00121,
    p99: 0.0034,
    rttP50: 0.00052,
    ...over,
  }
}

export function fakePath(over: Partial<PathView> = {}): PathView {
  return {
    check: fakeCheck(),
    state: 'ok',
    since: NOW - 7_800,
    last: fakeOutcome(),
    window: fakeWindow(),
    ...over,
  }
}

export function fakePeer(over: Partial<PeerView> = {}): PeerView {
  return {
    node: 'n2',
    zone: 'zone-b',
    boundary: 'cross_zone',
    addresses: ['10.0.2.7'],
    source: 'static',
    state: 'active',
    chosen: true,
    why: 'one of 3 in zone-b',
    ...over,
  }
}

export function fakePeers(over: Partial<PeersView> = {}): PeersView {
  return {
    self: { node: 'n1', zone: 'zone-a' },
    updatedAt: NOW - 2,
    peers: [fakePeer()],
    probedBy: ['n2', 'n3'],
    ...over,
  }
}

export function fakeRow(over: Partial<ProbeRow> = {}): ProbeRow {
  return {
    check: fakeCheck(),
    outcome: fakeOutcome({ at: NOW }),
    residence: 0.00004,
    answeredBy: { node: 'n2', zone: 'zone-b', version: '0.1.0' },
    ...over,
  }
}

/** An agent n1 in zone-a with one path, by tcp, to n2 in zone-b. */
export function fakeInput(over: Partial<WebInput> = {}): WebInput {
  return {
    self: { node: 'n1', zone: 'zone-a' },
    version: '0.1.0',
    metrics: async () => ({
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      body: 'pathmeter_agent_info{node="n1"} 1\n',
    }),
    paths: () => [fakePath()],
    peers: () => fakePeers(),
    coldTaxes: () => [],
    probe: async ({ peer }) => ({ peer, rows: [fakeRow()] }),
    probeable: () => [{ peer: 'n2', zone: 'zone-b', kinds: ['tcp', 'http'] }],
    readiness: () => ({ ready: true, why: 'configuration and a first peer view are loaded' }),
    reload: async () => ({ ok: true, applied: ['probes.tcp.every'], needsRestart: [] }),
    now: () => NOW,
    ...over,
  }
}
