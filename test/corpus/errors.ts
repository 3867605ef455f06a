import { replay, startCorpusGateway, UPSTREAM_KEY, type CorpusGateway } from './corpus-gateway.ts';
import { embedding } from './embedding.ts';
import { errorClass } from './error-classes.ts';
import { errorStatus, isCallersMistake, isSecretive } from './error-words.ts';
import { generation } from './generation.ts';
import { modelOf, readLines, responseText, type CorpusLine } from './lines.ts';
import { post } from './native-lane.ts';
import { count, startTally, type Tally } from './run.ts';
import type { Ground, WireCard } from './wire-card.ts';

/** The style of a recorded error, as its wire. The older completions and the counts answer with the errors of their vendor's main wire. */
const wireOfStyle: Readonly<Record<string, string>> = {
  'openai-chat': 'chat-completions',
  'openai-completions': 'chat-completions',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
  'anthropic-count-tokens': 'messages',
  'gemini': 'generate-content',
  'gemini-count-tokens': 'generate-content',
};
const vendors: ReadonlySet<string> = new Set(['openai', 'azure', 'anthropic', 'google', 'vertexai']);

/** What no client may ever read: the vendor's key, which vendors like to repeat, and where the vendor stands. */
const collectSecrets = (text: string, { upstream }: CorpusGateway): boolean =>
  text.includes(UPSTREAM_KEY) || text.includes(new URL(upstream.url).host);

/** The recorded error with our own key where the vendor repeats the key it was given. */
const withKey = (line: CorpusLine): CorpusLine => {
  const { body } = line.response;
  return body === undefined
    ? line
    : {
        ...line,
        response: {
          ...line.response,
          body: JSON.parse(JSON.stringify(body).replaceAll('sk-REDACTED', UPSTREAM_KEY)) as typeof body,
        },
      };
};

/** The SDK throws its own class of error, with the status that its wire has for the matter. An open stream has no status any more. */
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

const checkSdk = async <A>(
  line: CorpusLine,
  wire: string,
  { send, smallest }: WireCard<A>,
  failed: (answer: A) => boolean,
  at: CorpusGateway,
): Promise<string | undefined> => {
  replay(at, line);
  return send(at.url, `vendor/${modelOf(line)}`, smallest(line), line.stream).then(
    (got) => (failed(got) ? undefined : `an error is read as ${JSON.stringify(got)}`),
    (thrown: unknown) => checkThrown(thrown, line, wire, at),
  );
};

/** The caller's own mistake comes back in the vendor's words; what the vendor says of the gateway's account does not. */
const checkNativeBody = async <A>(
  line: CorpusLine,
  card: WireCard<A>,
  at: CorpusGateway,
): Promise<string | undefined> => {
  replay(at, line);
  const model = `vendor/${modelOf(line)}`;
  const reply = await post(at.url, card, model, line, card.forModel(card.smallest(line), model));
  const text = await reply.text();
  if (collectSecrets(text, at)) return `shows a secret: ${text}`;
  if (line.response.status === 200) return undefined;
  const same = text === responseText(line);
  if (isCallersMistake(line))
    return same && reply.status === line.response.status
      ? undefined
      : `${reply.status}, not the vendor's body: ${text.slice(0, 200)}`;
  return same && isSecretive(line) ? `the vendor's body is passed on: ${text.slice(0, 200)}` : undefined;
};

const runErrors = async <W extends string, A>(
  file: string,
  lines: readonly CorpusLine[],
  ground: Ground<W, A>,
  from: W,
): Promise<readonly Tally[]> => {
  const at = await startCorpusGateway(ground, lines, from);
  const native = startTally(file, `${from} native bodies`, lines.length);
  const tallies = ground.wires.map((to) => ({ to, tally: startTally(file, `${from} > ${to} SDK`, lines.length) }));
  for (const line of lines) {
    await count(native, line.id, async () => ({ failure: await checkNativeBody(line, ground.cards[from], at) }));
    for (const { to, tally } of tallies)
      await count(tally, line.id, async () => ({
        failure: await checkSdk(line, to, ground.cards[to], ground.failed, at),
      }));
  }
  await at.stop();
  return [native, ...tallies.map(({ tally }) => tally)];
};

/** The wire whose vendor wrote this error; undefined where no provider speaks to it yet. */
export const wireOfError = ({ provider, style }: CorpusLine): string | undefined => {
  if (!vendors.has(provider)) return undefined;
  if (style === 'embeddings') return provider === 'google' ? 'embed-content' : 'embeddings';
  return wireOfStyle[style];
};

const runGround = async <W extends string, A>(file: string, ground: Ground<W, A>): Promise<readonly Tally[]> => {
  const tallies: Tally[] = [];
  for (const wire of ground.wires) {
    const lines = readLines(file)
      .filter((line) => wireOfError(line) === wire)
      .map(withKey);
    if (lines.length > 0) tallies.push(...(await runErrors(file, lines, ground, wire)));
  }
  return tallies;
};

/** Every recorded error of these vendors through each client wire of its operation. */
export const runErrorFile = async (file: string): Promise<readonly Tally[]> => [
  ...(await runGround(file, generation)),
  ...(await runGround(file, embedding)),
];
