import { expect } from 'chai';
import { KEY } from '../support/gateway.ts';
import type { TestUpstream } from '../support/upstream.ts';
import { withoutProofs, type Answer } from './answer.ts';
import { idOf } from './catalog.ts';
import { senders } from './clients/clients.ts';
import { saidOf, type Difference, type Expected, type MatrixCase } from './matrix-case.ts';
import type { MatrixScene } from './matrix-scene.ts';
import { credentials, ownMembers, textOf, vendorPaths } from './vendors/vendors.ts';
import {
  defaultModels,
  someTokens,
  wireNames,
  type Json,
  type Mode,
  type Models,
  type Tokens,
  type Wire,
} from './wires.ts';
import { finishReasons, reportedTokens, usageShapes } from './wire-terms.ts';

export const modelsOf = ({ models }: MatrixCase): Models => ({ ...defaultModels, ...models });

/** Replaces members of a body; `undefined` removes a member. */
const change = (body: Json, changes: Json = {}): Json =>
  Object.fromEntries(Object.entries({ ...body, ...changes }).filter(([, value]) => value !== undefined));

/** Merges all differences of the pair; the narrower one wins. */
const differenceOf = ({ but }: MatrixCase, client: Wire, wire: Wire): Difference => {
  const said = saidOf(but, client, wire);
  return Object.assign({}, ...said, {
    received: Object.assign({}, ...said.map(({ received }) => received)),
  }) as Difference;
};

const checkReceived = (upstream: TestUpstream, wire: Wire, expected: Json, model: string, mode: Mode): void => {
  expect(upstream.calls).to.have.length(1);
  const [call] = upstream.calls;
  expect(call?.path).to.equal(vendorPaths[wire](model, mode));
  expect(call?.headers).to.include(credentials[wire]);
  expect(JSON.stringify(call?.headers)).to.not.include(KEY);
  const { stream, ...body } = call?.body ?? {};
  const { stream: streamed, ...own } = ownMembers[wire](model, mode);
  expect(stream ?? false).to.equal(streamed ?? false);
  expect(body).to.deep.equal({ ...expected, ...own });
};

const checkAnswer = (answer: Answer, expected: Expected, client: Wire, tokens: Tokens): void => {
  const { text = '', reasoning = '', refusal, calls = [], logprobs = [], finish, sequence = null } = expected;
  const { finishWord = finishReasons[client][finish], usage = usageShapes[client](tokens) } = expected;
  expect(answer.text).to.equal(text);
  expect(answer.reasoning).to.equal(reasoning);
  expect(answer.refusal).to.equal(refusal);
  expect(withoutProofs(answer.calls)).to.deep.equal(calls);
  expect(answer.logprobs ?? []).to.deep.equal(logprobs);
  expect(answer.finish).to.equal(finishWord);
  expect(answer.usage).to.deep.equal(usage);
  if (client === 'messages') expect(answer.sequence).to.equal(sequence);
};

/** Checks the line of the exchange in the access log. */
const checkLogged = (
  line: Json,
  client: Wire,
  wire: Wire,
  lane: 'native' | 'translated',
  losses: readonly string[],
): void => {
  expect(line).to.include({ status: 200, outcome: 'ok', wire_in: wireNames[client], wire_out: wireNames[wire] });
  const [attempt] = (line['attempts'] ?? []) as readonly Json[];
  expect(attempt?.['lane']).to.equal(lane);
  expect(attempt?.['losses'] ?? []).to.have.members([...losses]);
};

/**
 * Runs a case over one pair: the request as the upstream receives it, and the response as the client's SDK returns it.
 */
export const runCase = async (
  testCase: MatrixCase,
  client: Wire,
  wire: Wire,
  mode: Mode,
  { gateway, upstream, logged }: MatrixScene,
): Promise<void> => {
  const { request, received, vendor, expected, next, tokens = someTokens } = testCase;
  const model = modelsOf(testCase)[wire];
  const {
    received: changes,
    receivedNext: nextChanges,
    lane = client === wire ? 'native' : 'translated',
    ...others
  } = differenceOf(testCase, client, wire);
  const losses = saidOf(testCase.losses, client, wire).flat();
  const text = textOf(wire, mode, vendor, tokens);
  upstream.answer = (response) =>
    void response
      .writeHead(200, { 'content-type': mode === 'plain' ? 'application/json' : 'text/event-stream' })
      .end(text);
  const send = (body: Json): Promise<Answer> => {
    upstream.calls.length = 0;
    return senders[client](gateway.url, { ...body, model: idOf(wire, model) }, mode);
  };

  let answer: Answer | undefined;
  const line = await logged(async () => {
    answer = await send(request[client]);
    checkReceived(upstream, wire, change(client === wire ? request[wire] : received[wire], changes), model, mode);
    checkAnswer(answer, { ...expected, ...others }, client, reportedTokens(wire, tokens));
  });
  checkLogged(line, client, wire, lane, losses);
  if (next === undefined || answer === undefined) return;
  const follow = next.request[client](answer.turn);
  await send(follow);
  checkReceived(upstream, wire, change(client === wire ? follow : next.received[wire], nextChanges), model, mode);
};
