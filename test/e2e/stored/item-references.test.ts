import { expect } from 'chai';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { textAnswer } from '../../matrix/sample-bodies.ts';
import { textOf } from '../../matrix/vendors/vendors.ts';
import type { Json } from '../../matrix/wires.ts';
import { callOf } from '../../support/calls.ts';
import { goodHeaders, readError, send, type HttpReply } from '../../support/http.ts';
import { modelIds, startScene, type Scene } from '../../support/scene.ts';
import { answerJson } from '../../support/upstream.ts';

const keys = {
  web: 'web-key-0123456789abcdef',
  shop: 'shop-key-0123456789abcdef',
  strict: 'strict-key-0123456789abcdef',
};
const organizations = {
  acme: {
    projects: {
      web: { keys: { web: { key: keys.web }, strict: { key: keys.strict, vendorState: 'refuse' } } },
      shop: { keys: { shop: { key: keys.shop } } },
    },
  },
};

type ItemType = Exclude<NonNullable<ResponseInputItem['type']>, 'item_reference'>;

const callee = { call_id: 'call_1' };
const tool = { type: 'function', name: 'f', parameters: null, strict: false };

/** The content of an item of each type that the SDK can send. Types without content have none. */
const contents: Readonly<Record<ItemType, Json>> = {
  message: { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] },
  reasoning: { summary: [], encrypted_content: 'gAAAAABo' },
  compaction: { encrypted_content: 'gAAAAABo' },
  image_generation_call: { status: 'completed', result: 'iVBORw0KGgo=' },
  file_search_call: { status: 'completed', queries: ['hats'], results: null },
  web_search_call: { status: 'completed', action: { type: 'search', query: 'hats' } },
  code_interpreter_call: { status: 'completed', code: 'print(1)', outputs: null },
  mcp_list_tools: { server_label: 'docs', tools: [] },
  mcp_call: { server_label: 'docs', name: 'f', arguments: '{}', output: 'x' },
  mcp_approval_request: { server_label: 'docs', name: 'f', arguments: '{}' },
  mcp_approval_response: { approve: false, approval_request_id: 'mcpr_1' },
  function_call: { ...callee, name: 'f', arguments: '{}' },
  function_call_output: { ...callee, output: '' },
  custom_tool_call: { ...callee, name: 'f', input: '' },
  custom_tool_call_output: { ...callee, output: '' },
  computer_call: { ...callee, status: 'completed', action: { type: 'screenshot' }, pending_safety_checks: [] },
  computer_call_output: {
    ...callee,
    output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
  },
  local_shell_call: { ...callee, status: 'completed', action: { type: 'exec', command: ['ls'], env: {} } },
  local_shell_call_output: { output: '' },
  shell_call: { ...callee, action: { commands: ['ls'] } },
  shell_call_output: { ...callee, output: [] },
  apply_patch_call: { ...callee, status: 'completed', operation: { type: 'delete_file', path: 'a' } },
  apply_patch_call_output: { ...callee, status: 'completed' },
  tool_search_call: { ...callee, execution: 'client', arguments: {} },
  tool_search_output: { ...callee, execution: 'client', tools: [] },
  additional_tools: { role: 'developer', tools: [tool] },
  program: { ...callee, code: 'f()', fingerprint: 'x' },
  program_output: { ...callee, result: '', status: 'completed' },
  compaction_trigger: {},
  configuration_update: { reasoning: { effort: 'low' } },
};
const types = Object.keys(contents) as ItemType[];
const isBare = (type: ItemType): boolean => type === 'compaction_trigger' || type === 'configuration_update';
/** Members that say which item it is. */
const identity = new Set(['status', 'role', 'server_label', 'execution', 'fingerprint']);
const emptied = (content: Json): Json =>
  Object.fromEntries(
    Object.entries(content)
      .filter(([name]) => identity.has(name))
      .concat([
        ['summary', []],
        ['content', []],
        ['encrypted_content', ''],
        ['result', null],
        ['queries', []],
        ['results', null],
        ['code', null],
        ['outputs', null],
      ]),
  );

/** What a vendor keeps more of than the item shows. */
const partial: Readonly<Record<string, Json>> = {
  reasoning: { summary: [{ type: 'summary_text', text: 'any text' }] },
  image_generation_call: { result: 'iVBORw0KGgo=' },
  file_search_call: { queries: ['any text'] },
  web_search_call: { action: { type: 'search', query: 'any text' } },
  code_interpreter_call: { code: '1' },
  mcp_call: { name: 'f', arguments: '{}' },
  new_hosted_call: { question: 'any text' },
};

describe('items of responses without their content', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({ organizations, routes: [{ path: '/v1/responses', wire: 'responses' }] });
  });
  after(() => scene.stop());
  beforeEach(() => {
    scene.upstream.calls.length = 0;
    scene.upstream.answer = (response) =>
      answerJson(response, JSON.parse(textOf('responses', 'plain', textAnswer('Hi'))));
  });

  const post = (key: keyof typeof keys, ...items: readonly Json[]): Promise<HttpReply> =>
    send(scene.gateway.url, {
      ...callOf('responses', modelIds.responses, { more: { input: [{ role: 'user', content: 'Hi' }, ...items] } }),
      headers: { ...goodHeaders, authorization: `Bearer ${keys[key]}` },
    });

  /** The vendor stores items with these ids for the key. */
  const store = async (key: keyof typeof keys, ids: readonly string[]): Promise<void> => {
    scene.upstream.answer = (response) => {
      const body = JSON.parse(textOf('responses', 'plain', textAnswer('Hi'))) as Json;
      const output = ids.map((id) => ({ type: 'reasoning', id, summary: [] }));
      answerJson(response, { ...body, id: `resp_${ids.join('_')}`, store: true, output });
    };
    expect((await post(key)).status).to.equal(200);
    scene.upstream.calls.length = 0;
  };

  for (const type of types.filter((each) => !isBare(each))) {
    it(`an item ${type} with its id alone is not forwarded`, async () => {
      for (const more of [{}, emptied(contents[type])]) {
        const { status, text } = await post('web', { type, id: 'item_other', ...more });
        expect([400, 404], text).to.include(status);
        expect(text).to.include('input[1]');
      }
      expect(scene.upstream.calls).to.have.length(0);
    });
  }

  for (const type of ['reasoning', 'image_generation_call', 'compaction', 'file_search_call', 'a_type_of_next_year']) {
    it(`an unknown item ${type} gets the same 404 as any other reference`, async () => {
      for (const more of [{}, { status: 'completed' }]) {
        const reply = await post('web', { type, id: 'item_other', ...more });
        expect(reply.status).to.equal(404);
        expect(reply.text).to.include("'input[1]' refers to something stored at the provider");
      }
      expect((await post('web', { type, Id: 'item_other' })).status).to.equal(404);
      expect((await post('strict', { type, id: 'item_other' })).status).to.equal(400);
    });
  }

  it('complete items with ids are forwarded unchanged, whatever their type', async () => {
    for (const type of types) {
      const item = { type, id: 'item_1', ...contents[type] };
      for (const key of ['web', 'strict'] as const) {
        const reply = await post(key, item);
        expect(reply.status, `${type}: ${reply.text}`).to.equal(200);
      }
      const [, sent] = scene.upstream.calls.at(-1)!.body['input'] as readonly Json[];
      expect(sent).to.deep.equal(item);
    }
  });

  it('items that the own project has created can be sent back without their content', async () => {
    await store('web', ['rs_own_1', 'ig_own_1']);
    const own = [
      { type: 'reasoning', id: 'rs_own_1', summary: [] },
      { type: 'image_generation_call', id: 'ig_own_1' },
    ];
    expect((await post('web', ...own)).status).to.equal(200);
    expect((await post('shop', ...own)).status).to.equal(404);
    expect(scene.upstream.calls).to.have.length(1);
  });

  it('invented content does not lead to an item of another project', async () => {
    const entries = Object.entries(partial);
    await store(
      'web',
      entries.map(([type]) => `${type}_of_web`),
    );
    for (const [type, content] of entries) {
      const item = { type, id: `${type}_of_web`, status: 'completed', ...content };
      expect((await post('shop', item)).status, type).to.equal(404);
      expect((await post('web', item)).status, type).to.equal(200);
      expect((await post('shop', { ...item, id: `${type}_unknown` })).status, type).to.equal(200);
    }
    const approval = { type: 'mcp_approval_response', approve: true, approval_request_id: 'mcp_call_of_web' };
    expect(readError(await post('shop', approval)).error).to.include({ param: 'input[1].approval_request_id' });
  });

  it('containers and vector stores are found wherever an item can name them', async () => {
    const named: readonly (readonly [path: string, item: Json])[] = [
      ['container_id', { type: 'code_interpreter_call', id: 'ci_1', code: '1', container_id: 'cntr_1' }],
      [
        'environment.container_id',
        {
          type: 'shell_call',
          call_id: 'c',
          action: { commands: ['ls'] },
          environment: { type: 'container_reference', container_id: 'cntr_1' },
        },
      ],
      [
        'tools[0].vector_store_ids[0]',
        {
          type: 'additional_tools',
          role: 'developer',
          tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }],
        },
      ],
      [
        'tools[0].container',
        {
          type: 'tool_search_output',
          call_id: 'c',
          execution: 'client',
          tools: [{ type: 'code_interpreter', container: 'cntr_1' }],
        },
      ],
    ];
    for (const [path, item] of named)
      expect(readError(await post('web', item)).error, path).to.include({ param: `input[1].${path}` });
    expect(scene.upstream.calls).to.have.length(0);
  });
});
