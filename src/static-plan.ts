import type { Config } from './config/schema.ts'
import { staticPeers } from './discovery/static.ts'
import { boundaryOf, ownPlace, placeOf, siteRules } from './discovery/topology.ts'
import type { Check } from './model/check.ts'
import type { Place } from './model/path.ts'
import type { Problem } from './model/problem.ts'
import { planChecks } from './plan/checks.ts'
import { type LocatedPeer, planPeers } from './plan/peers.ts'
import { rateProblems } from './plan/rate.ts'

/** Where this agent stands, by its configuration. */
export function selfPlace(config: Config): Place {
  return ownPlace(config.node, siteRules(config.sites))
}

/** The peers that the configuration lists, and where they stand as seen from `self`. */
export function locateStaticPeers(config: Config, self: Place): readonly LocatedPeer[] {
  const rules = siteRules(config.sites)
  return staticPeers(config).map((peer) => {
    const place = placeOf(peer, rules)
    return { peer, place, boundary: boundaryOf(self, place, 'responder') }
  })
}

/** The checks that follow from the configuration alone, without those to the agent itself. */
export function staticChecks(config: Config): readonly Check[] {
  const self = selfPlace(config)
  const { perZone, rotating } = config.peers
  const { planned } = planPeers(self, locateStaticPeers(config, self), { perZone, rotating, epoch: 0 })
  const { rate, ...sections } = config.probes
  return planChecks({ self, peers: planned, sections, rate })
}

/** What is wrong with the rates that follow from the configuration alone. */
export function staticRateProblems(config: Config): readonly Problem[] {
  return rateProblems(staticChecks(config))
}
