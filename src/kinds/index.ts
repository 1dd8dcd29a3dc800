import type { KindName } from '../model/facts.ts'
import { http } from './http/probe.ts'
import type { Kind } from './kind.ts'
import { tcp } from './tcp/probe.ts'

/** Every kind of check, by name. */
export const kinds: Readonly<Record<KindName, Kind>> = { tcp, http }
