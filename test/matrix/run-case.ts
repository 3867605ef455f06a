import { expect } from 'chai';
import { KEY, type TestGateway } from '../e2e/gateway.ts';
import type { TestUpstream } from '../e2e/upstream.ts';
import type { Answer } from './answer.ts';
import { sendChat } from './client-chat.ts';
import { sendMessages } from './client-messages.ts';
import { modelsOf, type Expected, type MatrixCase } from './matrix-case.ts';
import { chatBody, chatFrames } from './vendor-chat.ts';
import { messagesBody, messagesFrames } from './vendor-messages.ts';
import { pairOf, providerOf, someTokens, type Json, type Mode, type Tokens, type Wire } from './wires.ts';

const senders: Readonly<Record<Wire, (url: string, body: Json, mode: Mode) => Promise<Answer>>> = { chat: sendChat, messages: sendMessages };
const paths: Readonly<Record<Wire, string>> = { chat: '/v1/chat/completions', messages: '/v1/messages' };

/** Usage in the words that each client's reader uses, total included: mission.md has it as the sum. */
const usageFor: Readonly<Record<Wire, (tokens: Tokens) => Json>> = {
  chat: ({ fresh, read, write, output, reasoning }) => {
    const prompt = fresh + read + write;
    return { prompt, completion: output, total: prompt + output, cached: read, written: write, reasoning };
  },
  messages: ({ fresh, read, write, output, reasoning }) => ({ input: fresh, written: write, read, output, thinking: reasoning }),
};

const vendorText = ({ vendor, tokens = someTokens }: MatrixCase, upstream: Wire, mode: Mode): string => {
  if (upstream === 'chat') return mode === 'plain' ? chatBody(vendor.chat, tokens) : chatFrames(vendor.chat, tokens).join('');
  return mode === 'plain' ? messagesBody(vendor.messages, tokens) : messagesFrames(vendor.messages, tokens).join('');
};

const streamMembers: Readonly<Record<Wire, Json>> = { chat: { stream: true, stream_options: { include_usage: true } }, messages: { stream: true } };

/** OpenAI's models take only the newer of the two names: the one edit that its provider makes on the native lane. */
const renameCap = ({ max_tokens: older, ...body }: Json): Json => (older === undefined ? body : { ...body, max_completion_tokens: older });
const ownBody: Readonly<Record<Wire, (body: Json) => Json>> = { chat: renameCap, messages: (body) => body };

/** The gateway's own credential, and nothing of the client's. */
const credentials: Readonly<Record<Wire, Readonly<Record<string, string>>>> = {
  chat: { authorization: 'Bearer upstream-secret-openai' },
  messages: { 'x-api-key': 'upstream-secret-anthropic' },
};

const checkReceived = (upstream: TestUpstream, wire: Wire, expected: Json, model: string, mode: Mode): void => {
  expect(upstream.calls).to.have.length(1);
  const [call] = upstream.calls;
  expect(call?.path).to.equal(paths[wire]);
  expect(call?.headers).to.include(credentials[wire]);
  expect(JSON.stringify(call?.headers)).to.not.include(KEY);
  const { stream, ...body } = call?.body ?? {};
  expect(stream ?? false).to.equal(mode === 'streamed');
  const { stream: _asked, ...options } = mode === 'streamed' ? streamMembers[wire] : {};
  expect(body).to.deep.equal({ ...expected, model, ...options });
};

const checkAnswer = (answer: Answer, expected: Expected, client: Wire, tokens: Tokens): void => {
  const { text = '', reasoning = '', refusal, calls = [], finish, usage } = expected;
  expect(answer.text).to.equal(text);
  expect(answer.reasoning).to.equal(reasoning);
  expect(answer.refusal).to.equal(refusal);
  expect(answer.calls).to.deep.equal(calls);
  expect(answer.finish).to.equal(finish[client]);
  expect(answer.usage).to.deep.equal(usage?.[client] ?? usageFor[client](tokens));
  if (client === 'messages') expect(answer.sequence).to.equal(expected.sequence ?? null);
};

/** The line that the exchange left in the access log. */
const checkLogged = ({ losses = {}, translated }: MatrixCase, client: Wire, wire: Wire, line: Json | undefined): void => {
  expect(line).to.include({ status: 200, outcome: 'ok', wire: client === 'chat' ? 'chat-completions' : 'messages' });
  const [attempt] = (line?.['attempts'] ?? []) as readonly Json[];
  expect(attempt?.['lane']).to.equal(client === wire && translated !== client ? 'native' : 'translated');
  expect(attempt?.['losses'] ?? []).to.have.members(client === wire ? [] : [...(losses[client] ?? [])]);
};

/** One case over one pair: the request as the upstream sees it, and the answer as the client's SDK sees it. */
export const runCase = async (testCase: MatrixCase, client: Wire, wire: Wire, mode: Mode, gateway: TestGateway, upstream: TestUpstream): Promise<void> => {
  const pair = pairOf(client, wire);
  const model = modelsOf(testCase)[wire];
  const { request, received, expected, but, next, tokens = someTokens } = testCase;
  const send = (body: Json): Promise<Answer> => {
    upstream.calls.length = 0;
    return senders[client](gateway.url, { ...body, model: `${providerOf[wire]}/${model}` }, mode);
  };
  const type = mode === 'plain' ? 'application/json' : 'text/event-stream';
  const text = vendorText(testCase, wire, mode);
  upstream.answer = (response) => void response.writeHead(200, { 'content-type': type }).end(text);

  const logged = gateway.exchanges().length;
  const answer = await send(request[client]);
  checkReceived(upstream, wire, client === wire ? (received.native?.[wire] ?? ownBody[wire](request[wire])) : received[wire], model, mode);
  checkAnswer(answer, { ...expected, ...but?.[pair] }, client, tokens);
  await gateway.settled(logged + 1);
  checkLogged(testCase, client, wire, gateway.exchanges()[logged]);
  if (next === undefined) return;
  await send(next.request[client](answer.turn));
  checkReceived(upstream, wire, next.received[pair], model, mode);
};
