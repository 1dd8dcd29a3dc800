/**
 * A promise that also rejects with the signal's reason as soon as it is aborted. Whatever way it settles, it
 * undoes its listeners.
 *
 * @param start begins to listen, and returns what stops it
 */
export async function abortable<T>(
  signal: AbortSignal,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onAbort = () => reject(signal.reason)
  const stop = start(resolve, reject)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await promise
  } finally {
    stop()
    signal.removeEventListener('abort', onAbort)
  }
}
