import { expect } from 'chai';
import { greet, headOf, helloFor, pathOf } from '../support/calls.ts';
import { send, type HttpReply } from '../support/http.ts';
import { readRefusal } from '../support/refusals.ts';
import { modelIds } from '../support/scene.ts';
import { wires, type Wire } from '../matrix/wires.ts';
import { startWatched, type WatchedScene } from './support/witness.ts';

/** Members that affect limits, prices or routing, each with two different values. */
const limiting: Readonly<Record<Wire, readonly (readonly [name: string, first: string, second: string])[]>> = {
  chat: [
    ['max_tokens', '1', '32000'],
    ['max_completion_tokens', '1', '32000'],
    ['n', '1', '16'],
    ['stream', 'false', 'true'],
    ['stream_options', '{"include_usage":true}', '{"include_usage":false}'],
    ['service_tier', '"default"', '"priority"'],
    ['store', 'false', 'true'],
    ['models', '["a"]', '["b"]'],
    ['provider', '{}', '{"order":["a"]}'],
    ['api_base', '"https://a.example"', '"https://b.example"'],
    ['some_new_member', '1', '2'],
  ],
  messages: [
    ['max_tokens', '1', '32000'],
    ['stream', 'false', 'true'],
    ['service_tier', '"auto"', '"standard_only"'],
    ['thinking', '{"type":"disabled"}', '{"type":"enabled","budget_tokens":9000}'],
  ],
  responses: [
    ['max_output_tokens', '16', '32000'],
    ['background', 'false', 'true'],
    ['previous_response_id', 'null', '"resp_1"'],
    ['stream', 'false', 'true'],
    ['store', 'false', 'true'],
  ],
  google: [
    ['generationConfig', '{"maxOutputTokens":1}', '{"maxOutputTokens":32000}'],
    ['cachedContent', '""', '"cachedContents/a"'],
    ['store', 'false', 'true'],
  ],
};

/** Two spellings of a member, and a wrong spelling alone. */
const respelled: Readonly<Record<Wire, readonly (readonly [members: string, param: string])[]>> = {
  chat: [
    ['"n":1,"N":16', 'n'],
    ['"N":16', 'N'],
    ['"Max_Tokens":32000', 'Max_Tokens'],
    ['"max_tokens":1,"MAX_TOKENS":32000', 'max_tokens'],
    ['"Stream":true', 'Stream'],
    ['"\\u0053tream":true', 'Stream'],
    ['"\u017ftream":true', '\u017ftream'],
    ['"stream_options":{"include_usage":true,"include_usage":false}', 'stream_options.include_usage'],
    ['"stream_options":{"Include_Usage":false}', 'stream_options.Include_Usage'],
    ['"reasoning":{"max_tokens":1,"Max_Tokens":32000}', 'reasoning.max_tokens'],
    ['"best_of":16', 'best_of'],
    ['"n":2,"best_of":16', 'best_of'],
  ],
  messages: [
    ['"MAX_TOKENS":32000', 'max_tokens'],
    ['"thinking":{"type":"enabled","budget_tokens":1024,"Budget_Tokens":32000}', 'thinking.budget_tokens'],
  ],
  responses: [
    ['"Max_Output_Tokens":32000', 'Max_Output_Tokens'],
    ['"Background":true', 'Background'],
    ['"Previous_Response_Id":"resp_1"', 'Previous_Response_Id'],
  ],
  google: [
    ['"generationConfig":{"maxOutputTokens":1},"generation_config":{"maxOutputTokens":32000}', 'generationConfig'],
    ['"generationConfig":{"maxOutputTokens":1,"max_output_tokens":32000}', 'generationConfig.maxOutputTokens'],
    ['"generation_config":{"candidate_count":1,"candidateCount":8}', 'generation_config.candidateCount'],
    [
      '"generationConfig":{"thinkingConfig":{"thinkingBudget":0,"thinking_budget":9000}}',
      'generationConfig.thinkingConfig.thinkingBudget',
    ],
    ['"generationConfig":{"thinkingConfig":{},"thinking_config":{}}', 'generationConfig.thinkingConfig'],
    ['"generationconfig":{"maxOutputTokens":32000}', 'generationconfig'],
    ['"generationConfig":{"MaxOutputTokens":32000}', 'generationConfig.MaxOutputTokens'],
  ],
};

/** Other members can be spelled in any way, and inner objects of the caller are not checked. */
const accepted: Readonly<Record<Wire, string>> = {
  chat: '"n":1,"best_of":1,"metadata":{"N":"1","n":"2","model":"a","Model":"b"},"stream_options":{},"Custom":1',
  messages: '"metadata":{"user_id":"a"},"Custom":1,"custom_":2',
  responses: '"metadata":{"Stream":"1","stream":"2"},"Custom":1',
  google: '"generation_config":{"max_output_tokens":100,"candidate_count":1},"labels":{"a_b":"1","ab":"2"},"Custom":1',
};

describe('members that parsers read differently', () => {
  let scene: WatchedScene;
  before(async () => {
    scene = await startWatched();
    scene.upstream.answer = greet;
  });
  afterEach(() => scene.check());
  after(() => scene.stop());

  for (const wire of wires) {
    const post = (members: string): Promise<HttpReply> => {
      const body = { ...helloFor(wire, modelIds[wire]), ...headOf(wire, modelIds[wire]) };
      for (const [name] of limiting[wire]) Reflect.deleteProperty(body, name);
      if (wire === 'messages' && !/max_tokens"/i.test(members)) body['max_tokens'] = 100;
      return send(scene.gateway.url, {
        path: pathOf(wire, modelIds[wire]),
        body: `${JSON.stringify(body).slice(0, -1)},${members}}`,
      });
    };
    const refuse = async (members: string, param: string): Promise<void> => {
      scene.upstream.calls.length = 0;
      const refusal = readRefusal(await post(members), wire);
      expect(refusal.message).to.include(param);
      if (refusal.param !== undefined) expect(refusal.param).to.equal(param);
      expect(scene.upstream.calls, 'calls of the provider').to.have.length(0);
    };

    for (const [name, first, second] of limiting[wire]) {
      it(`responds 400 to a repeated ${name} on ${wire}, and names it`, async () => {
        await refuse(`"${name}":${first},"${name}":${second}`, name);
        await refuse(`"${name}":${first},"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}":${second}`, name);
        await refuse(`"${name}":${first},"${name.toUpperCase()}":${second}`, name);
      });
    }
    for (const [members, param] of respelled[wire])
      it(`responds 400 to {${members}} on ${wire}, and names ${param}`, () =>
        refuse(wire === 'messages' && param === 'max_tokens' ? `"max_tokens":1,${members}` : members, param));
    it(`accepts {${accepted[wire]}} on ${wire}`, async () => {
      const reply = await post(accepted[wire]);
      expect(reply.status, reply.text).to.equal(200);
    });
  }
});
