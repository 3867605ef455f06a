import { expect } from 'chai';
import { measureSpending } from '../../../core/outcome/charges.ts';
import type { AttemptRecord, Ending, Exchange, GenerateRequest, Target, Usage } from '../../../core/index.ts';
import { createExchange, createTarget, sampleRecord, sampleRequest } from '../exchange/sample-exchange.ts';

const RESERVED = 500;
const SEEN = 100;
const reported: Usage = {
  inputUncached: 20,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 3,
  reasoning: 0,
  source: 'provider',
};
const left: Ending = { reason: 'client_closed', usage: undefined, outputChars: 4 * SEEN };

interface Case {
  readonly reasons?: Target['reasons'];
  readonly reasoning?: GenerateRequest['reasoning'];
  readonly ending?: Partial<Ending>;
  readonly record?: Partial<AttemptRecord>;
}

/** The tokens of output that are charged. */
const outputOf = ({ reasons, reasoning, ending, record = {} }: Case): number | undefined => {
  const exchange = createExchange({
    estimate: { inputTokens: 100, outputTokens: RESERVED, declared: true },
    request: { ...sampleRequest, ...(reasoning === undefined ? {} : { reasoning }) },
    targets: [createTarget('vendor/model', reasons === undefined ? {} : { reasons })],
  }) as Exchange;
  const attempts = [{ ...sampleRecord, target: 'vendor/model', ...record }];
  const { usage } = measureSpending({
    exchange,
    attempts,
    ending: record.committed === false ? undefined : { ...left, ...ending },
  });
  if (usage?.source !== 'estimated') expect(usage).to.equal(reported);
  return usage?.output;
};
const inFlight: Partial<AttemptRecord> = { committed: false, paid: [undefined], clientLeft: true };

describe('the output that is charged to a client that left before its usage was known', () => {
  const cases: Readonly<Record<string, readonly [Case, number]>> = {
    'is what was seen, of a model that does not reason': [{}, SEEN],
    'is what was reserved, of a model that reasons unasked': [{ reasons: 'unasked' }, RESERVED],
    'is what was seen, where such a model was asked not to reason': [
      { reasons: 'unasked', reasoning: { effort: 'none' } },
      SEEN,
    ],
    'is what was seen, where such a model was given no budget': [
      { reasons: 'unasked', reasoning: { budget: 0 } },
      SEEN,
    ],
    'is what was reserved, of a model that always reasons, whatever it was asked': [
      { reasons: 'always', reasoning: { effort: 'none' } },
      RESERVED,
    ],
    'is what was reserved, where the request asks for an effort': [{ reasoning: { effort: 'low' } }, RESERVED],
    'is what was reserved, where the request gives a budget': [{ reasoning: { budget: 1_024 } }, RESERVED],
    'is what was seen, where the request only says whether reasoning is shown': [{ reasoning: { show: false } }, SEEN],
    'is what was reserved, where the model was seen to reason': [{ ending: { reasoned: true } }, RESERVED],
    'is what was reserved, where the answer had its finish and no usage': [
      { reasons: 'unasked', ending: { finish: { reason: 'stop' } } },
      RESERVED,
    ],
    'is never less than what was seen': [{ reasons: 'unasked', ending: { outputChars: 4_000 } }, 1_000],
    'is what was reported, where the answer was read to its end': [
      { reasons: 'unasked', ending: { usage: reported, readToEnd: true } },
      reported.output,
    ],
    'is what was seen, where the answer was read to its end and reported nothing': [
      { reasons: 'unasked', ending: { readToEnd: true } },
      SEEN,
    ],
    'is what was reserved, where the vendor goes on making the answer': [
      { ending: { usage: reported, readToEnd: true, finish: { reason: 'pause', unfinished: true } } },
      RESERVED,
    ],
    'is what was seen, where it was the upstream that broke': [
      { reasons: 'unasked', ending: { reason: 'upstream_reset' } },
      SEEN,
    ],
    'is nothing, of a call in flight to a model that does not reason': [{ record: inFlight }, 0],
    'is what was reserved, of a call in flight to one that reasons': [
      { reasons: 'unasked', record: inFlight },
      RESERVED,
    ],
    'is nothing, where a call had failed before the client left': [
      { reasons: 'unasked', record: { committed: false, paid: [undefined] } },
      0,
    ],
  };
  for (const [name, [given, output]] of Object.entries(cases)) it(name, () => expect(outputOf(given)).to.equal(output));
});
