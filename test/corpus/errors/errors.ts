import { idOf, replay, startCorpusGateway, UPSTREAM_KEY, type CorpusGateway } from '../corpus-gateway.ts';
import { embedding } from '../answers/embedding.ts';
import { checkSdk, collectSecrets } from './check-sdk.ts';
import { isCallerFault, isHiddenFromClient } from './error-statuses.ts';
import { generation } from '../answers/generation.ts';
import { readLines, responseText, type CorpusLine, type Json } from '../lines.ts';
import { post } from '../native-lane.ts';
import { count, startTally, type Tally } from '../run.ts';
import type { CorpusOperation, WireAdapter } from '../wire-adapter.ts';

/** The wire of a recorded error. Older completions and counts have the errors of their vendor's main wire. */
const wireOfStyle: Readonly<Record<string, string>> = {
  'openai-chat': 'chat-completions',
  'openai-completions': 'chat-completions',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
  'anthropic-count-tokens': 'messages',
  'gemini': 'generate-content',
  'gemini-count-tokens': 'generate-content',
};

/** The recorded error, with our own key where the vendor repeats the key. */
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

/** The vendor's own body, or its message in the shape of the wire where the vendor has another (`detail`). */
const isVendors = (text: string, line: CorpusLine): boolean => {
  const { error, detail } = line.response.body ?? {};
  const { error: written } = JSON.parse(text) as { readonly error?: Json };
  return text === responseText(line) || (error === undefined && written?.['message'] === detail);
};

/** A fault of the caller is returned with the vendor's message; an error of the gateway's account is not. */
const checkNativeBody = async <A>(
  line: CorpusLine,
  card: WireAdapter<A>,
  at: CorpusGateway,
): Promise<string | undefined> => {
  replay(at, line);
  const model = idOf(line);
  const reply = await post(at.url, card, model, line, card.forModel(card.minimal(line), model));
  const text = await reply.text();
  if (collectSecrets(text, at)) return `shows a secret: ${text}`;
  if (line.response.status === 200) return undefined;
  const same = isVendors(text, line);
  if (isCallerFault(line))
    return same && reply.status === line.response.status
      ? undefined
      : `${reply.status}, not the vendor's body: ${text.slice(0, 200)}`;
  return same && isHiddenFromClient(line) ? `the vendor's body is passed on: ${text.slice(0, 200)}` : undefined;
};

const runErrors = async <W extends string, A>(
  file: string,
  lines: readonly CorpusLine[],
  operation: CorpusOperation<W, A>,
  from: W,
): Promise<readonly Tally[]> => {
  const at = await startCorpusGateway(operation, lines, from);
  const native = startTally(file, `${from} native bodies`, lines.length);
  const tallies = operation.wires.map((to) => ({ to, tally: startTally(file, `${from} > ${to} SDK`, lines.length) }));
  for (const line of lines) {
    await count(native, line.id, async () => ({ failure: await checkNativeBody(line, operation.cards[from], at) }));
    for (const { to, tally } of tallies)
      await count(tally, line.id, async () => ({
        failure: await checkSdk(line, to, operation.cards[to], operation.failed, at),
      }));
  }
  await at.stop();
  return [native, ...tallies.map(({ tally }) => tally)];
};

/** The wire of the vendor that sent this error; undefined without a provider. */
export const wireOfError = ({ provider, style }: CorpusLine): string | undefined => {
  if (style === 'embeddings') return provider === 'google' ? 'embed-content' : 'embeddings';
  return wireOfStyle[style];
};

const runGround = async <W extends string, A>(
  file: string,
  operation: CorpusOperation<W, A>,
): Promise<readonly Tally[]> => {
  const tallies: Tally[] = [];
  for (const wire of operation.wires) {
    const lines = readLines(file)
      .filter((line) => wireOfError(line) === wire)
      .map(withKey);
    if (lines.length > 0) tallies.push(...(await runErrors(file, lines, operation, wire)));
  }
  return tallies;
};

/** Every recorded error of these wires through each client wire of its operation. */
export const runErrorFile = async (file: string): Promise<readonly Tally[]> => [
  ...(await runGround(file, generation)),
  ...(await runGround(file, embedding)),
];
