import type { GenerateRequest } from '../../canonical/request.ts';
import type { GenerateResponse } from '../../canonical/response.ts';
import type { AttemptOf, Reply } from '../../contracts/attempt.ts';
import type { Operation } from '../../canonical/wire.ts';
import type { WriteContext } from '../../contracts/codec-context.ts';
import type { Exchange, ExchangeOf } from '../../contracts/exchange.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Channel } from '../channel.ts';
import { sendTranslated } from './send-translated.ts';
import type { ClientWire } from './translation.ts';

const INSTRUCTIONS = `Write a summary of the conversation above. It replaces the conversation: the work goes \
on with the summary and nothing else. Keep, word for word where it matters:
- what the user asked for, and every instruction that still applies
- decisions, with their reasons
- facts, names, paths, identifiers, figures and code that are still needed, also from results of tools
- what is done, what failed, and what is left to do
Do not continue the work, do not call a tool, and write only the summary.`;

/** The conversation, and the request for its summary. Tools stay declared: vendors require those of earlier calls. */
function askForSummary(request: GenerateRequest): GenerateRequest {
  const { output: _output, reasoning: _reasoning, toolChoice: _toolChoice, logprobs: _logprobs, ...others } = request;
  const tools = others.tools.filter(({ kind }) => kind !== 'hosted');
  return {
    ...others,
    turns: [...others.turns, { role: 'user', parts: [{ type: 'text', text: INSTRUCTIONS }] }],
    tools,
    ...(tools.length === 0 ? {} : { toolChoice: { mode: 'none' } }),
    choices: 1,
    stream: false,
  };
}

/** @throws GatewayError `upstream_bad_response` without a text */
const readSummary = ({ id, choices: [choice], usage }: GenerateResponse) => {
  const summary = (choice?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (summary.trim() === '')
    throw new GatewayError('upstream_bad_response', 'The model wrote no summary of the conversation.');
  return { summary, ...(id === undefined ? {} : { id }), ...(usage === undefined ? {} : { usage }) };
};

/** Compacts a conversation for a target that has no such operation: its model writes a summary. */
export function sendSummary(
  attempt: AttemptOf<'compact'>,
  channel: Channel<'generate'>,
  client: ClientWire<'compact'>,
): Promise<Reply> {
  // The two operations have the same requests.
  const exchange = attempt.exchange as Exchange as ExchangeOf<'generate'>;
  const wire = client as ClientWire<Operation> as ClientWire;
  const encodeResponse = (response: GenerateResponse, context: WriteContext): unknown =>
    client.codec.encodeResponse(readSummary(response), { ...context, request: exchange.request });
  return sendTranslated(
    { ...attempt, operation: 'generate', exchange, request: askForSummary(attempt.request) },
    channel,
    {
      ...wire,
      codec: { ...wire.codec, encodeResponse },
    },
  );
}
