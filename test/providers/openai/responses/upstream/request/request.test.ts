import { expect } from 'chai';
import type { GenerateRequest, Part, Turn } from '../../../../../../core/api/index.ts';
import { omitUndefined } from '../../../../../../core/api/codec.ts';
import { decode, encode, fieldsOf, foreign, inputOf, origin } from '../harness.ts';

const png = 'iVBORw0KGgo=';
const user = (...parts: readonly Part[]): Turn => ({ role: 'user', parts });
const assistant = (...parts: readonly Part[]): Turn => ({ role: 'assistant', parts });
const system = (text: string): Turn => ({ role: 'system', parts: [{ type: 'text', text }] });
const text = (said: string): Part => ({ type: 'text', text: said });
const asked = user(text('hi'));
const said = (...turns: readonly Turn[]) => encode(foreign({ turns }));
const items = (...turns: readonly Turn[]) => inputOf(foreign({ turns }));
const message = (role: string, type: string, said_: string) => ({
  type: 'message',
  role,
  content: [{ type, text: said_ }],
});
const call = (id: string, members: object = {}): Part => ({
  type: 'tool-call',
  id,
  name: 'f',
  kind: 'function',
  input: '{"a":1}',
  ...members,
});
const result = (id: string, parts: readonly Part[], failed = false): Part => ({
  type: 'tool-result',
  id,
  failed,
  parts,
});
const tool = (members: object = {}) => ({ name: 'f', kind: 'function' as const, ...members });
const body = (members: Partial<GenerateRequest>) => encode(foreign(members)).body;
const losses = (members: Partial<GenerateRequest>) => fieldsOf(encode(foreign(members)).losses);

describe('responses: upstream request', () => {
  describe('the conversation', () => {
    it('writes the system prompt as instructions, and later system turns in their positions', () => {
      const { body: written } = said({ role: 'system', parts: [text('A'), text('B')] }, asked, system('Later.'), asked);
      expect(written['instructions']).to.equal('A\n\nB');
      expect((written['input'] as readonly { role: string }[]).map(({ role }) => role)).to.deep.equal([
        'user',
        'developer',
        'user',
      ]);
    });

    it('keeps a system prompt in the input when it holds more than text or is the only turn', () => {
      expect(said(system('Be brief.')).body).to.deep.include({
        input: [message('developer', 'input_text', 'Be brief.')],
      });
      const marked: Turn = { role: 'system', parts: [{ type: 'text', text: 'A', cache: { ttl: '30m' } }] };
      expect(said(marked, asked).body['instructions']).to.equal(undefined);
    });

    it('does not report the developer role of a chat client as lost', () => {
      const developer: Turn = {
        ...system('A'),
        extra: { wire: 'chat-completions', members: { role: 'developer', name: 'n' } },
      };
      expect(fieldsOf(said(developer, asked).losses)).to.deep.equal(['instructions.name dropped']);
      expect(fieldsOf(said(asked, developer).losses)).to.deep.equal(['input[1].name dropped']);
    });

    it('writes the parts of an assistant in order, with messages between items', () => {
      const turn = assistant(
        { type: 'reasoning', text: 'Hm.', proof: { origin, value: 'BLOB' } },
        text('Asking.'),
        call('c1'),
        text('And.'),
        { type: 'refusal', text: 'No.' },
        call('c2', { input: '' }),
      );
      expect(items(asked, turn).slice(1)).to.deep.equal([
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'BLOB' },
        message('assistant', 'output_text', 'Asking.'),
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
        {
          type: 'message',
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'And.' },
            { type: 'refusal', refusal: 'No.' },
          ],
        },
        { type: 'function_call', call_id: 'c2', name: 'f', arguments: '{}' },
      ]);
    });

    it('leaves out reasoning without a proof, and reports the loss', () => {
      const { body: written, losses: lost } = said(asked, assistant({ type: 'reasoning', text: 'Hm.' }, text('x')));
      expect(JSON.stringify(written)).not.to.contain('Hm.');
      expect(fieldsOf(lost)).to.deep.equal(['input[1].reasoning dropped']);
      expect(
        items(asked, assistant({ type: 'reasoning', text: '', proof: { origin, value: 'BLOB' } }))[1],
      ).to.deep.equal({ type: 'reasoning', summary: [], encrypted_content: 'BLOB' });
    });

    it('writes results in the kind of their calls, as a string when they are a single text', () => {
      const turns = [
        asked,
        assistant(call('c1'), call('c2', { kind: 'custom', input: 'x' }), call('c3')),
        user(result('c1', [text('sun')]), result('c2', [text('ok')]), result('c3', []), text('Well?')),
      ];
      expect(items(...turns).slice(4)).to.deep.equal([
        { type: 'function_call_output', call_id: 'c1', output: 'sun' },
        { type: 'custom_tool_call_output', call_id: 'c2', output: 'ok' },
        { type: 'function_call_output', call_id: 'c3', output: '' },
        message('user', 'input_text', 'Well?'),
      ]);
    });

    it('E12: writes the images of results inside the results', () => {
      const image: Part = { type: 'media', media: { mediaType: 'image/png', base64: png } };
      expect(
        items(asked, assistant(call('c1')), user(result('c1', [text('see'), image])))[2]?.['output'],
      ).to.deep.equal([
        { type: 'input_text', text: 'see' },
        { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${png}` },
      ]);
    });

    it('E13: marks a failed result in its text, and reports the approximation', () => {
      const failed = (...parts: readonly Part[]) => said(asked, assistant(call('c1')), user(result('c1', parts, true)));
      expect((failed(text('ENOENT')).body['input'] as readonly unknown[])[2]).to.deep.include({
        output: 'Error: ENOENT',
      });
      expect((failed().body['input'] as readonly unknown[])[2]).to.deep.include({ output: 'Error:' });
      expect(fieldsOf(failed(text('x')).losses)).to.deep.equal(['input[2].content[0].failed approximated']);
    });

    it('writes images, documents and audio as the wire names them', () => {
      const media = (mediaType: string, where: object, more: object = {}): Part => ({
        type: 'media',
        media: { mediaType, ...where } as never,
        ...more,
      });
      const [written] = items(
        user(
          media('image/png', { url: 'https://a.example/a.png' }, { detail: 'low' }),
          media('image/*', { fileId: 'file-1' }),
          media('application/pdf', { base64: 'JVBERi0=' }, { name: 'a.pdf' }),
          media('application/pdf', { url: 'https://a.example/a.pdf' }),
          media('application/pdf', { fileId: 'file-2' }),
          media('audio/mpeg', { base64: 'AAAA' }),
        ),
      );
      expect(written?.['content']).to.deep.equal([
        { type: 'input_image', detail: 'low', image_url: 'https://a.example/a.png' },
        { type: 'input_image', detail: 'auto', file_id: 'file-1' },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
        { type: 'input_file', file_url: 'https://a.example/a.pdf' },
        { type: 'input_file', file_id: 'file-2' },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
      ]);
    });

    it('moves media of an assistant into a user message', () => {
      const { body: written, losses: lost } = said(
        asked,
        assistant(text('Here.'), { type: 'media', media: { mediaType: 'image/png', base64: png } }),
        asked,
      );
      expect((written['input'] as readonly { role: string }[]).map(({ role }) => role)).to.deep.equal([
        'user',
        'assistant',
        'user',
        'user',
      ]);
      expect(fieldsOf(lost)).to.deep.equal(['input[1].content approximated']);
    });

    it('writes citations with an address, and the cache marks of this wire', () => {
      const cited: Part = {
        type: 'text',
        text: 'Sky 😀',
        citations: [
          { url: 'https://a.example', vendor: { wire: 'messages', value: {} } },
          { vendor: { wire: 'messages', value: {} } },
        ],
      };
      const { body: written, losses: lost } = said(
        user({ type: 'text', text: 'a', cache: { ttl: '12h' } }, { type: 'text', text: 'b', cache: { ttl: '5m' } }),
        assistant(cited),
        asked,
      );
      const [first, second] = written['input'] as readonly { content: readonly unknown[] }[];
      expect(first?.content).to.deep.equal([
        { type: 'input_text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } },
        { type: 'input_text', text: 'b' },
      ]);
      expect(second?.content).to.deep.equal([
        {
          type: 'output_text',
          text: 'Sky 😀',
          annotations: [
            {
              type: 'url_citation',
              start_index: 0,
              end_index: 5,
              url: 'https://a.example',
              title: 'https://a.example',
            },
          ],
        },
      ]);
      expect(fieldsOf(lost)).to.deep.equal(['input[0].cache dropped', 'input[1].citations dropped']);
    });

    it('reports what only another wire has as lost', () => {
      expect(
        fieldsOf(said(user(text('a'), { type: 'opaque', wire: 'messages', value: { type: 'odd' } })).losses),
      ).to.deep.equal(['input[0].content[1] dropped']);
    });
  });

  describe('tools', () => {
    it('writes tools flat, strict only when requested, and with a schema', () => {
      expect(
        body({ tools: [tool({ description: 'd' }), tool({ name: 'g', schema: { type: 'object' }, strict: true })] })[
          'tools'
        ],
      ).to.deep.equal([
        {
          type: 'function',
          name: 'f',
          description: 'd',
          parameters: { type: 'object', properties: {} },
          strict: false,
        },
        { type: 'function', name: 'g', parameters: { type: 'object' }, strict: true },
      ]);
    });

    it('writes a grammar flat, and reports extra members of other wires as lost', () => {
      const grammar = { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } };
      const custom = { name: 'c', kind: 'custom' as const, vendor: { format: grammar } };
      expect(body({ wire: 'chat-completions', tools: [custom] })['tools']).to.deep.equal([
        { type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
      ]);
      expect(
        losses({
          tools: [tool({ vendor: { eager: true }, cache: { ttl: '5m' } }), { name: 's', kind: 'hosted', vendor: {} }],
        }),
      ).to.deep.equal(['tools[0].eager dropped', 'tools[0].cache dropped', 'tools[1] dropped']);
    });

    it('writes the choice as a mode, one tool, or several tools', () => {
      const choose = (toolChoice: GenerateRequest['toolChoice']) =>
        body(omitUndefined({ tools: [tool(), { name: 'c', kind: 'custom' }], toolChoice }))['tool_choice'];
      expect(choose(undefined)).to.equal(undefined);
      expect(choose({ mode: 'required' })).to.equal('required');
      expect(choose({ mode: 'none', only: ['f'] })).to.equal('none');
      expect(choose({ mode: 'required', only: ['f'] })).to.deep.equal({ type: 'function', name: 'f' });
      expect(choose({ mode: 'auto', only: ['f', 'c'] })).to.deep.equal({
        type: 'allowed_tools',
        mode: 'auto',
        tools: [
          { type: 'function', name: 'f' },
          { type: 'custom', name: 'c' },
        ],
      });
      expect(losses({ toolChoice: { mode: 'auto' }, parallelTools: false })).to.deep.equal([
        'tool_choice dropped',
        'parallel_tool_calls dropped',
      ]);
    });
  });

  describe('settings', () => {
    it('stores nothing unless the client requested it, and requests the proofs that the next turn needs', () => {
      expect(body({})).to.deep.include({ store: false, include: ['reasoning.encrypted_content'] });
      expect(body({ store: false })).to.deep.include({ store: false });
      expect(encode(decode({ store: true })).body)
        .to.deep.include({ store: true })
        .and.not.to.have.property('include');
      expect(body({ store: true })).to.deep.include({ store: true, include: ['reasoning.encrypted_content'] });
      expect(encode(decode({ background: true })).body).to.deep.include({ store: true, background: true });
      expect(encode(decode({ include: ['web_search_call.results'] })).body['include']).to.deep.equal([
        'web_search_call.results',
        'reasoning.encrypted_content',
      ]);
    });

    it('writes the output format', () => {
      expect(body({ output: { type: 'json' }, verbosity: 'low' })['text']).to.deep.equal({
        format: { type: 'json_object' },
        verbosity: 'low',
      });
      expect(body({ output: { type: 'schema', schema: {} } })['text']).to.deep.equal({
        format: { type: 'json_schema', name: 'response', schema: {} },
      });
      expect(body({})['text']).to.equal(undefined);
    });

    it('writes the reasoning settings', () => {
      expect(body({ reasoning: { effort: 'high', show: true } })['reasoning']).to.deep.equal({
        effort: 'high',
        summary: 'auto',
      });
      expect(body({ reasoning: { budget: 0 } })['reasoning']).to.deep.equal({ effort: 'none' });
      expect(body({ reasoning: { show: false } })['reasoning']).to.equal(undefined);
      expect(losses({ reasoning: { budget: 2_000 } })).to.deep.equal(['reasoning.budget dropped']);
      expect(
        encode(decode({ reasoning: { effort: 'low', summary: 'detailed', mode: 'pro' } })).body['reasoning'],
      ).to.deep.equal({ effort: 'low', summary: 'detailed', mode: 'pro' });
    });

    it('reports what the wire does not have as lost', () => {
      const members = { topK: 4, seed: 1, presencePenalty: 1, frequencyPenalty: 1, stop: ['END'], choices: 2 };
      expect(losses(members)).to.deep.equal(
        ['top_k', 'seed', 'presence_penalty', 'frequency_penalty', 'stop', 'n'].map((name) => `${name} dropped`),
      );
      expect(losses({ extra: { wire: 'messages', members: { mcp_servers: [] } } })).to.deep.equal([
        'mcp_servers dropped',
      ]);
    });

    it("raises an output cap to the vendor's minimum, but not for clients of this wire", () => {
      expect(encode(foreign({ maxTokens: 5 }))).to.deep.include({
        losses: [{ field: 'max_tokens', kind: 'approximated', detail: 'responses accepts at least 16' }],
      });
      expect(body({ maxTokens: 5 })['max_output_tokens']).to.equal(16);
      expect(encode(decode({ max_output_tokens: 5 })).body['max_output_tokens']).to.equal(5);
    });

    it('writes the end user, and the digest of a long user id', () => {
      expect(body({ user: 'u' })['safety_identifier']).to.equal('u');
      const long = 'x'.repeat(65);
      expect(body({ user: long })['safety_identifier']).to.match(/^[0-9a-f]{64}$/);
      expect(body({ user: long })['safety_identifier']).not.to.equal(body({ user: `${long}y` })['safety_identifier']);
      expect(losses({ user: long })).to.deep.equal(['user approximated']);
      expect(encode(decode({ user: 'u' })).body).to.deep.include({ user: 'u' });
    });

    it('writes service tiers as this wire names them', () => {
      expect(body({ serviceTier: 'standard_only' })['service_tier']).to.equal('default');
      expect(body({ serviceTier: 'flex', cacheKey: 'k', temperature: 1, topP: 0.5, stream: true })).to.deep.include({
        service_tier: 'flex',
        prompt_cache_key: 'k',
        temperature: 1,
        top_p: 0.5,
        stream: true,
      });
    });
  });

  describe('for a client of the same wire', () => {
    it('keeps phases, namespaces, hosted tools and items that only the wire has', () => {
      const namespace = {
        type: 'namespace',
        name: 'crm',
        description: 'd',
        tools: [
          { type: 'function', name: 'list', parameters: { type: 'object' }, strict: false },
          { type: 'function', name: 'get', parameters: { type: 'object' }, strict: false },
        ],
      };
      const search = { type: 'web_search' };
      const written = encode(
        decode({
          input: [
            { role: 'user', content: 'hi' },
            {
              type: 'message',
              role: 'assistant',
              phase: 'commentary',
              content: [{ type: 'output_text', text: 'Looking.' }],
            },
            { type: 'web_search_call', id: 'ws_1', status: 'completed', action: {} },
            { type: 'function_call', call_id: 'c1', namespace: 'crm', name: 'list', arguments: '{}' },
            { type: 'function_call_output', call_id: 'c1', output: 'x' },
            {
              type: 'message',
              role: 'assistant',
              phase: 'final_answer',
              content: [{ type: 'output_text', text: 'Done.' }],
            },
            { type: 'item_reference', id: 'msg_9' },
          ],
          tools: [namespace, search],
          tool_choice: { type: 'web_search' },
          previous_response_id: 'resp_0',
        }),
      );
      expect(written.body['input']).to.deep.equal([
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
        {
          type: 'message',
          role: 'assistant',
          phase: 'commentary',
          content: [{ type: 'output_text', text: 'Looking.' }],
        },
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: {} },
        { type: 'function_call', call_id: 'c1', name: 'list', namespace: 'crm', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'x' },
        {
          type: 'message',
          role: 'assistant',
          phase: 'final_answer',
          content: [{ type: 'output_text', text: 'Done.' }],
        },
        { type: 'item_reference', id: 'msg_9' },
      ]);
      expect(written.body).to.deep.include({
        tools: [namespace, search],
        tool_choice: { type: 'web_search' },
        previous_response_id: 'resp_0',
      });
      expect(written.losses).to.deep.equal([]);
    });

    it('leaves strict out when the client did', () => {
      const tool = { type: 'function', name: 'f', parameters: { type: 'object' } };
      expect(
        encode(
          decode({ tools: [tool, { ...tool, strict: false }, { ...tool, strict: true }, { ...tool, strict: null }] }),
        ).body['tools'],
      ).to.deep.equal([tool, { ...tool, strict: false }, { ...tool, strict: true }, tool]);
    });

    it('keeps a system item separate from instructions', () => {
      const input = [
        { role: 'system', content: 'A' },
        { role: 'developer', content: 'B' },
        { role: 'user', content: 'hi' },
      ];
      expect(inputOf(decode({ input })).map(({ role }) => role)).to.deep.equal(['system', 'developer', 'user']);
      expect(encode(decode({ input, instructions: 'I' })).body['instructions']).to.equal('I');
    });
  });
});
