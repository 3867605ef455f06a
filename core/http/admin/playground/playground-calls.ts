import type { CallDescription } from '../../../contracts/admin.ts';
import { flag, listOf, objectOf, onlyThese, text, texts, wholeOf } from '../schemas.ts';

const usableKey = wholeOf({ id: text, name: text, organization: text, project: text, models: texts });

/** The OpenAPI descriptions of the playground. */
export const playgroundCalls = {
  describe: {
    summary: 'What the caller can try: own keys with the models they allow, whether others can be named, and routes.',
    role: 'developer',
    answer: wholeOf({
      keys: listOf(usableKey),
      others: flag,
      models: texts,
      routes: listOf(objectOf({ path: text, wire: text, operation: text })),
    }),
  },
  send: {
    summary:
      'Sends a request of a client with a key that the caller may use. The response is that of the gateway to the ' +
      'client, streamed where the body asks for it. Limits, ledger and logs count it as every request of the key.',
    role: 'developer',
    body: onlyThese({ key: text, organization: text, project: text, path: text, body: { type: 'object' } }, [
      'key',
      'path',
      'body',
    ]),
    type: 'text/event-stream',
  },
} as const satisfies Readonly<Record<string, CallDescription>>;
