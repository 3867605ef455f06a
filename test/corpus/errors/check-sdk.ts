import { idOf, replay, UPSTREAM_KEY, type CorpusGateway } from '../corpus-gateway.ts';
import type { CorpusLine } from '../lines.ts';
import type { WireAdapter } from '../wire-adapter.ts';
import { errorClass } from './error-classes.ts';
import { errorStatus } from './error-statuses.ts';

/** What must never reach a client: the vendor's key, which some vendors repeat, and the vendor's address. */
export const collectSecrets = (text: string, { upstream }: CorpusGateway): boolean =>
  text.includes(UPSTREAM_KEY) || text.includes(new URL(upstream.url).host);

/** The SDK throws its own class, with the status of its wire. A stream that has begun has no status. */
const checkThrown = (thrown: unknown, line: CorpusLine, wire: string, at: CorpusGateway): string | undefined => {
  if (!(thrown instanceof Error)) return `throws ${String(thrown)}`;
  const status = errorStatus(wire, line);
  const got = 'status' in thrown ? thrown.status : undefined;
  if (collectSecrets(`${thrown.message} ${JSON.stringify(thrown)}`, at)) return `shows a secret: ${thrown.message}`;
  if (thrown.message === '') return 'has no message';
  const said = `${thrown.name}: ${thrown.message.slice(0, 200)}`;
  if (line.stream && got === undefined)
    return thrown instanceof errorClass(wire) ? undefined : `throws in the stream ${said}`;
  if (got !== status) return `status ${String(got)} for ${status}: ${said}`;
  return thrown instanceof errorClass(wire, status) ? undefined : `throws for ${status} ${said}`;
};

/** The SDK of a client gets a recorded error as its own class. */
export const checkSdk = async <A>(
  line: CorpusLine,
  wire: string,
  { send, minimal }: WireAdapter<A>,
  failed: (answer: A) => boolean,
  at: CorpusGateway,
  model = idOf(line),
): Promise<string | undefined> => {
  replay(at, line);
  return send(at.url, model, minimal(line), line.stream).then(
    (got) => (failed(got) ? undefined : `an error is read as ${JSON.stringify(got)}`),
    (thrown: unknown) => checkThrown(thrown, line, wire, at),
  );
};
