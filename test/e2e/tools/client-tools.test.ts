import { expect } from 'chai';
import OpenAI, { BadRequestError } from 'openai';
import { textOf, type VendorAnswers } from '../../matrix/vendors/vendors.ts';
import type { Json, Wire } from '../../matrix/wires.ts';
import { KEY } from '../../support/gateway.ts';
import { CHAT, GOOGLE, MESSAGES, RESPONSES, startScene, type Scene } from '../../support/scene.ts';

/** Models whose vendors do not know the tools of OpenAI. */
const foreign = { chat: CHAT, messages: MESSAGES, google: GOOGLE } as const;
type Foreign = keyof typeof foreign;

const searchSchema = { type: 'object', properties: { words: { type: 'string' } }, required: ['words'] };

interface Tried {
  readonly tool: Json;
  /** The function that stands for the tool. */
  readonly name: string;
  /** The arguments that the model writes, and the item that the client gets. */
  readonly input: Json;
  readonly item: Json;
  /** The result of the call, and how the vendor gets it. */
  readonly output: Json;
  readonly result: string;
}

const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const tried: Readonly<Record<string, Tried>> = {
  tool_search: {
    tool: { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters: searchSchema },
    name: 'tool_search',
    input: { words: 'orders' },
    item: { type: 'tool_search_call', execution: 'client', arguments: { words: 'orders' } },
    output: {
      type: 'tool_search_output',
      execution: 'client',
      status: 'completed',
      tools: [{ type: 'function', name: 'lookup', description: 'Looks up an order.', parameters: {}, strict: false }],
    },
    result: 'lookup: Looks up an order.',
  },
  local_shell: {
    tool: { type: 'local_shell' },
    name: 'local_shell',
    input: { command: ['ls', '-l'], working_directory: '/repo', timeout_ms: 500 },
    item: {
      type: 'local_shell_call',
      action: { type: 'exec', command: ['ls', '-l'], env: {}, working_directory: '/repo', timeout_ms: 500 },
    },
    output: { type: 'local_shell_call_output', output: 'a.ts' },
    result: 'a.ts',
  },
  shell: {
    tool: { type: 'shell', environment: { type: 'local' } },
    name: 'shell',
    input: { commands: ['ls', 'pwd'] },
    item: {
      type: 'shell_call',
      action: { commands: ['ls', 'pwd'], timeout_ms: null, max_output_length: null },
      environment: { type: 'local' },
    },
    output: {
      type: 'shell_call_output',
      output: [{ stdout: 'a.ts', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
    result: 'exit_code',
  },
  apply_patch: {
    tool: { type: 'apply_patch' },
    name: 'apply_patch',
    input: { type: 'update_file', path: 'a.ts', diff: '@@\n-let a;\n+const a = 1;' },
    item: {
      type: 'apply_patch_call',
      operation: { type: 'update_file', path: 'a.ts', diff: '@@\n-let a;\n+const a = 1;' },
    },
    output: { type: 'apply_patch_call_output', status: 'failed', output: 'no such line' },
    result: 'no such line',
  },
  computer: {
    tool: { type: 'computer' },
    name: 'computer',
    input: { actions: [{ type: 'click', button: 'left', x: 1, y: 2 }] },
    item: {
      type: 'computer_call',
      actions: [{ type: 'click', button: 'left', x: 1, y: 2 }],
      pending_safety_checks: [],
    },
    output: { type: 'computer_call_output', output: { type: 'computer_screenshot', image_url: png } },
    result: 'iVBORw0KGgo',
  },
  computer_use_preview: {
    tool: { type: 'computer_use_preview', display_width: 800, display_height: 600, environment: 'linux' },
    name: 'computer',
    input: { type: 'type', text: 'hi' },
    item: { type: 'computer_call', action: { type: 'type', text: 'hi' }, pending_safety_checks: [] },
    output: { type: 'computer_call_output', output: { type: 'computer_screenshot', image_url: png } },
    result: 'iVBORw0KGgo',
  },
};

const answersOf = ({ name, input }: Tried): VendorAnswers => ({
  chat: {
    message: { content: null, tool_calls: [{ id: 'call_1', name, arguments: JSON.stringify(input) }] },
    finish: 'tool_calls',
  },
  messages: { content: [{ type: 'tool_use', id: 'call_1', name, input }], finish: 'tool_use' },
  google: { parts: [{ functionCall: { id: 'call_1', name, args: input } }], finish: 'STOP' },
  responses: { output: [] },
});

describe('tools that the client executes', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  beforeEach(() => {
    scene.upstream.calls.length = 0;
  });
  after(() => scene.stop());

  const run = async (
    model: string,
    streamed: boolean,
    members: Json,
  ): Promise<{ readonly output: readonly Json[]; readonly losses: string }> => {
    const client = new OpenAI({ apiKey: KEY, baseURL: `${scene.gateway.url}/v1`, maxRetries: 0 });
    const request = { model, ...members } as unknown as OpenAI.Responses.ResponseCreateParamsNonStreaming;
    if (!streamed) {
      const { data, response } = await client.responses.create(request).withResponse();
      return {
        output: data.output as unknown as readonly Json[],
        losses: response.headers.get('x-koine-losses') ?? '',
      };
    }
    const done: Json[] = [];
    const stream = client.responses.stream(request as unknown as { model: string; input: string });
    stream.on('response.output_item.done', ({ item }) => void done.push(item as unknown as Json));
    const { output } = await stream.finalResponse();
    expect(output).to.deep.equal(done);
    return { output: done, losses: '' };
  };
  const answer = (wire: Wire, streamed: boolean, answers: VendorAnswers): void => {
    scene.upstream.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
        .end(textOf(wire, streamed ? 'streamed' : 'plain', answers));
  };

  for (const [wire, model] of Object.entries(foreign) as readonly (readonly [Foreign, string])[]) {
    for (const [type, one] of Object.entries(tried)) {
      for (const streamed of [false, true]) {
        it(`${type} is a function over ${wire}, and its call an item${streamed ? ', streamed' : ''}`, async () => {
          answer(wire, streamed, answersOf(one));
          const { output } = await run(model, streamed, { input: 'Hi', tools: [one.tool] });
          const sent = JSON.stringify(scene.upstream.calls[0]?.body['tools']);
          expect(sent).to.include(`"name":"${one.name}"`).and.not.include('"execution"').and.not.include('display_');
          expect(output).to.have.length(1);
          const { id, ...item } = output[0] ?? {};
          expect(id).to.be.a('string').and.not.equal('');
          expect(item).to.deep.equal({ ...one.item, status: 'completed', call_id: 'call_1' });
        });
      }

      it(`the result of ${type} reaches ${wire} with its call`, async () => {
        answer(wire, false, answersOf(one));
        const call = { ...one.item, id: 'x_1', status: 'completed', call_id: 'call_1' };
        const isLocal = type === 'local_shell';
        const output = { ...one.output, ...(isLocal ? { id: 'call_1' } : { call_id: 'call_1' }) };
        const { losses } = await run(model, false, {
          input: [{ role: 'user', content: 'Hi' }, call, output],
          tools: [one.tool],
        });
        const { messages, contents } = scene.upstream.calls[0]?.body ?? {};
        const sent = JSON.stringify(messages ?? contents);
        expect(sent).to.include(`"name":"${one.name}"`).and.include(one.result);
        for (const value of Object.values(one.input).filter((member) => typeof member === 'string'))
          expect(sent).to.include(
            JSON.stringify(value)
              .slice(1, -1)
              .replaceAll('\\', wire === 'chat' ? '\\\\' : '\\'),
          );
        expect(losses).to.not.match(/input\[\d\];dropped/);
      });
    }
  }

  it('is chosen by its type', async () => {
    answer('messages', false, answersOf(tried['shell'] as Tried));
    await run(MESSAGES, false, { input: 'Hi', tools: [tried['shell']?.tool], tool_choice: { type: 'shell' } });
    expect(scene.upstream.calls[0]?.body['tool_choice']).to.deep.equal({ type: 'tool', name: 'shell' });
  });

  for (const tool of [
    { type: 'tool_search' },
    { type: 'tool_search', execution: 'server' },
    { type: 'shell', environment: { type: 'container_auto' } },
  ]) {
    it(`${JSON.stringify(tool)} runs at the vendor, and is refused elsewhere`, async () => {
      const thrown: unknown = await run(MESSAGES, false, { input: 'Hi', tools: [tool] }).catch(
        (error: unknown) => error,
      );
      expect(thrown).to.be.instanceOf(BadRequestError);
      expect((thrown as Error).message)
        .to.include(`'${tool.type}'`)
        .and.include('runs at the vendor');
      expect(scene.upstream.calls).to.have.length(0);
    });
  }

  it('definitions, calls and results reach OpenAI as the client wrote them', async () => {
    scene.upstream.answer = (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(textOf('responses', 'plain', { ...answersOf(tried['shell'] as Tried), responses: { output: [] } }));
    const all = Object.values(tried);
    const input = [
      { role: 'user', content: 'Hi' },
      ...all.flatMap(({ item, output }, index) => [
        { ...item, id: `x_${index}`, status: 'completed', call_id: `call_${index}` },
        { ...output, call_id: `call_${index}` },
      ]),
    ];
    const tools = all.map(({ tool }) => tool);
    await run(RESPONSES, false, { input, tools }).catch(() => undefined);
    expect(scene.upstream.calls[0]?.body).to.deep.include({ tools, input });
  });
});
