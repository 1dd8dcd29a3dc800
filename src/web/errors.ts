import type { Problem } from '../model/problem.ts'

/** Every error that the HTTP surface answers: its code, which clients branch on, and its status. */
export const ERRORS = {
  bad_request: { status: 400, when: 'the request is no HTTP, or its framing is wrong' },
  bad_url: { status: 400, when: 'the URL has a broken escape, or a name in it is too long' },
  bad_parameter: { status: 400, when: 'a query parameter has a wrong value, or is given twice' },
  unknown_parameter: { status: 400, when: 'the route knows no such query parameter' },
  probe_target_unsupported: { status: 400, when: '/probe is asked as blackbox_exporter is' },
  not_local: {
    status: 403,
    when: 'a reload is asked for from another machine, or by a page of another site',
  },
  not_found: { status: 404, when: 'nothing is served there' },
  unknown_peer: { status: 404, when: 'no peer of that name is probed from here' },
  unknown_kind: { status: 404, when: 'the peer has no checks of that kind' },
  method_not_allowed: { status: 405, when: 'the path is served for other methods, which Allow lists' },
  request_timeout: { status: 408, when: 'the request did not arrive whole in time' },
  body_too_large: { status: 413, when: 'the request has a body that nothing reads' },
  configuration_refused: { status: 422, when: 'the configuration file has problems; the one in force stays' },
  too_many_runs: { status: 429, when: 'as many runs of fresh probes as allowed are under way' },
  header_too_large: { status: 431, when: 'request line and headers exceed the limit' },
  internal: { status: 500, when: 'the agent failed; its log has the error' },
  closing: { status: 503, when: 'the agent shuts down and gave up the run' },
  not_ready: { status: 503, when: 'no configuration or peer view is loaded, or the agent drains' },
} as const satisfies Record<string, { readonly status: number; readonly when: string }>

export type ErrorCode = keyof typeof ERRORS

interface Extras {
  readonly headers?: Readonly<Record<string, string>>
  readonly problems?: readonly Problem[]
}

/** An error of the catalogue with its sentence for a person. */
export class WebError extends Error {
  override readonly name = 'WebError'
  readonly code: ErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly problems: readonly Problem[] | undefined

  constructor(code: ErrorCode, message: string, extras: Extras = {}) {
    super(message)
    this.code = code
    this.status = ERRORS[code].status
    this.headers = extras.headers ?? {}
    this.problems = extras.problems
  }
}

/** The shape of every error that is answered as JSON. */
export function errorBody(error: WebError): object {
  return { error: { code: error.code, message: error.message, problems: error.problems } }
}
