import Type from 'typebox'
import { Duration } from '../../model/schema.ts'
import { defineOptions, overlapOf } from '../define-options.ts'

export interface TcpCheckOptions {
  /** Exchange one echo, as with a responder. Otherwise no byte of payload, as with whatever is not ours. */
  readonly echo: boolean
}

const options: TcpCheckOptions = { echo: true }

export const tcpOptions = defineOptions({
  protocol: 'tcp',
  schema: Type.Object(
    {
      every: Duration({ default: '1s', minimum: '100ms', description: 'Time between two attempts' }),
      // 5 s, 7 s and other whole numbers sit on a step of the SYN retransmission schedule.
      limit: Duration({
        default: '8s',
        minimum: '100ms',
        maximum: '60s',
        description: 'Deadline of one attempt, connect and echo together',
      }),
    },
    { additionalProperties: false, default: {}, description: 'New TCP connection, one echo, reset' },
  ),
  variants: ({ every, limit }) => [
    { connection: 'new', every, limit, overlap: overlapOf(limit, every), options },
  ],
})
