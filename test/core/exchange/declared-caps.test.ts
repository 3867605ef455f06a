import { expect } from 'chai';
import { createCatalog } from '../../../core/catalog/catalog.ts';
import { createAttribute } from '../../../core/exchange/request/attribution.ts';
import { ExchangeState, type ExchangeRoute } from '../../../core/exchange/exchange-state.ts';
import { createExchange, decodeRequest, parseRequest } from '../../../core/exchange/read-request.ts';
import type { Estimate, Operation } from '../../../core/api/index.ts';
import type { AnyCodec, ClientSide } from '../../../core/api/codec.ts';
import anthropic from '../../../providers/anthropic/index.ts';
import google from '../../../providers/google/index.ts';
import openai from '../../../providers/openai/index.ts';
import { createTestHead } from '../../../core/testing/index.ts';

const codecs: readonly AnyCodec[] = [openai, anthropic, google].flatMap(({ codecs: own = [] }) => own);
const wires = ['chat-completions', 'messages', 'responses', 'generate-content'] as const;
type Wire = (typeof wires)[number];

const said = [{ role: 'user', content: 'Hello' }];
const bodies: Readonly<Record<Wire, object>> = {
  'chat-completions': { model: 'vendor/model', messages: said },
  'messages': { model: 'vendor/model', messages: said },
  'responses': { model: 'vendor/model', input: 'Hello' },
  'generate-content': { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
};
const wireNames: readonly string[] = wires;
const catalog = createCatalog(
  { models: { 'vendor/model': { wires: wireNames, targets: [], capabilities: {} } }, aliases: {} },
  new Map(),
  [],
  0,
);

/** The estimate of a body of the wire with these members added. */
const estimate = (wire: Wire, members: object, operation: Operation = 'generate'): Promise<Estimate> =>
  estimateText(wire, JSON.stringify({ ...bodies[wire], ...members }), operation);

const attribute = createAttribute({ attribution: { user: 'plain' }, organizations: {} });

const estimateText = async (wire: Wire, body: string, operation: Operation = 'generate'): Promise<Estimate> => {
  const client = codecs.find((codec) => codec.wire === wire && codec.operation === operation)
    ?.client as ClientSide<Operation>;
  const route: ExchangeRoute = { operation, wire, traits: {}, client };
  const head = { ...createTestHead(), headers: { 'anthropic-version': '2023-06-01' } };
  const caller = { key: 'alice', project: 'web', organization: 'acme', models: [] };
  const pathModel = wire === 'generate-content' ? 'vendor/model' : undefined;
  const state = new ExchangeState(head, route, pathModel);
  const decoded = decodeRequest(state, parseRequest(state, Buffer.from(body)));
  return createExchange(
    { catalog, attribute, isCodingAgent: () => false, tenancy: { scopes: () => [] } },
    state,
    caller,
    decoded,
  ).estimate;
};

/** The cap member of each wire, and those that an upstream of the same wire could use instead. */
const own: Readonly<Record<Wire, (cap: number) => object>> = {
  'chat-completions': (cap) => ({ max_tokens: cap }),
  'messages': (cap) => ({ max_tokens: cap }),
  'responses': (cap) => ({ max_output_tokens: cap }),
  'generate-content': (cap) => ({ generationConfig: { maxOutputTokens: cap } }),
};
const fields: Readonly<Record<string, (cap: unknown) => object>> = {
  'max_tokens': (cap) => ({ max_tokens: cap }),
  'max_completion_tokens': (cap) => ({ max_completion_tokens: cap }),
  'max_output_tokens': (cap) => ({ max_output_tokens: cap }),
  'max_tokens_to_sample': (cap) => ({ max_tokens_to_sample: cap }),
  'maxOutputTokens': (cap) => ({ maxOutputTokens: cap }),
  'n_predict': (cap) => ({ n_predict: cap }),
  'generationConfig.maxOutputTokens': (cap) => ({ generationConfig: { maxOutputTokens: cap } }),
  'generation_config.max_output_tokens': (cap) => ({ generation_config: { max_output_tokens: cap } }),
};
/** This member is another spelling of Google's own: both together are refused. */
const isSame = (wire: Wire, name: string): boolean =>
  wire === 'generate-content' && name.startsWith('generation_config');
const choices: Partial<Readonly<Record<Wire, object>>> = {
  'chat-completions': { n: 3 },
  'generate-content': { generationConfig: { candidateCount: 3 } },
};

/** Merges inner objects, so that the members of both stay. */
const join = (left: object, right: object): object => {
  const joined: Record<string, unknown> = { ...left };
  for (const [name, value] of Object.entries(right))
    joined[name] =
      typeof value === 'object' && value !== null
        ? { ...(joined[name] as object | undefined), ...(value as object) }
        : value;
  return joined;
};

for (const wire of wires) {
  describe(`an output cap declared on ${wire}`, () => {
    for (const [name, field] of Object.entries(fields)) {
      it(`estimates the cap declared only in ${name} on ${wire}`, async () => {
        const needed = wire === 'messages' && name !== 'max_tokens' ? own[wire](1) : {};
        const { outputTokens, declared } = await estimate(wire, join(needed, field(10_000)));
        expect([outputTokens, declared]).to.deep.equal([10_000, true]);
      });

      if (isSame(wire, name)) {
        it(`refuses ${name} beside the own cap of ${wire}`, async () => {
          const error = await estimate(wire, join(own[wire](1), field(10_000))).then(
            () => undefined,
            (thrown: unknown) => thrown,
          );
          expect(error).to.include({ code: 'invalid_request', param: 'generationConfig' });
        });
        continue;
      }

      it(`estimates the cap in ${name} if the own cap of ${wire} is 1`, async () => {
        const { outputTokens, declared } = await estimate(wire, join(own[wire](1), field(10_000)));
        expect([outputTokens, declared]).to.deep.equal([10_000, true]);
      });

      it(`does not let ${name} lower a larger own cap of ${wire}`, async () => {
        const both = wire === 'generate-content' ? { ...field(5), ...own[wire](700) } : join(field(5), own[wire](700));
        expect((await estimate(wire, both)).outputTokens).to.equal(700);
      });
    }

    it(`estimates the largest of all caps on ${wire}`, async () => {
      // Two spellings of one member are refused on Google's wire.
      const together = Object.entries(fields).filter(
        ([name]) => !isSame(wire, name) && !(wire === 'generate-content' && name === 'max_output_tokens'),
      );
      const all = together.reduce((members, [, field], index) => join(members, field(100 + index)), {});
      expect((await estimate(wire, all)).outputTokens).to.equal(100 + together.length - 1);
    });

    it(`ignores a cap on ${wire} that is not a number, in a member that the wire does not have`, async () => {
      const foreign = { max_tokens_to_sample: '10000', n_predict: -1, maxOutputTokens: null, max_new_tokens: { a: 1 } };
      expect((await estimate(wire, join(foreign, own[wire](50)))).outputTokens).to.equal(50);
    });

    it(`reads a cap on ${wire} in any letter case`, async () => {
      expect((await estimate(wire, join(own[wire](1), { MAX_TOKENS_to_sample: 10_000 }))).outputTokens).to.equal(
        10_000,
      );
    });

    for (const digits of ['9223372036854775807', `1${'0'.repeat(400)}`, '1e400']) {
      it(`reads a cap on ${wire} that no JavaScript number can represent: ${digits.slice(0, 20)}`, async () => {
        const body = JSON.stringify({ ...bodies[wire], ...own[wire](1) }).replace(
          /}$/,
          `,"max_tokens_to_sample":${digits}}`,
        );
        expect((await estimateText(wire, body)).outputTokens).to.equal(Number.MAX_SAFE_INTEGER);
      });
    }

    const several = choices[wire];
    if (several !== undefined) {
      it(`counts a cap on ${wire} for each choice`, async () => {
        expect((await estimate(wire, join(several, own[wire](50)))).outputTokens).to.equal(150);
        expect(
          (await estimate(wire, join(join(several, own[wire](1)), { max_tokens_to_sample: 10_000 }))).outputTokens,
        ).to.equal(30_000);
      });
    }
  });
}

describe('a request without a cap', () => {
  for (const wire of wires.filter((name) => name !== 'messages')) {
    it(`estimates the usual output for a request on ${wire} without a cap`, async () => {
      const { outputTokens, declared } = await estimate(wire, choices[wire] ?? {});
      expect([outputTokens, declared]).to.deep.equal([wire === 'responses' ? 4_096 : 3 * 4_096, false]);
    });
  }

  for (const wire of ['messages', 'responses', 'generate-content'] as const) {
    it(`estimates no output for a token count on ${wire}, whatever cap it declares`, async () => {
      const { outputTokens, declared } = await estimate(
        wire,
        { max_tokens: 10_000, max_output_tokens: 9_000 },
        'count-tokens',
      );
      expect([outputTokens, declared]).to.deep.equal([0, false]);
    });
  }
});
