import { expect } from 'chai';
import type { GenerateRequest, Turn } from '../../../../core/api/index.ts';
import { createLossList, createProfile, createTestRequest } from '../../../../core/testing/index.ts';
import { converseCodec } from '../../../../providers/bedrock/converse/index.ts';

const encode = (changes: Partial<GenerateRequest>, effortMember?: string) => {
  const { losses, lose } = createLossList();
  const profile = { ...createProfile(converseCodec.wire), ...(effortMember === undefined ? {} : { effortMember }) };
  const { body } = converseCodec.upstream!.encodeRequest({ ...createTestRequest(), ...changes }, profile, lose);
  return { body, lost: losses.map(({ field }) => field) };
};
const user = (...parts: Turn['parts']): Turn => ({ role: 'user', parts });
const call = (id: string): Turn['parts'][number] => ({
  type: 'tool-call',
  id,
  name: 'look',
  kind: 'function',
  input: '{"a":1}',
});
const result = (id: string, failed = false): Turn['parts'][number] => ({
  type: 'tool-result',
  id,
  failed,
  parts: [{ type: 'text', text: 'done' }],
});

describe('bedrock: requests of Converse', () => {
  it('results stand first in their turn, with the cache point that follows them and with legal ids', () => {
    const { body } = encode({
      turns: [
        user({ type: 'text', text: 'Go' }),
        { role: 'assistant', parts: [call('call.1'), call('call:1')] },
        user({ type: 'text', text: 'And?' }, { ...result('call.1'), cache: { ttl: '1h' } }, result('call:1', true)),
      ],
    });
    const use = (toolUseId: string) => ({ toolUse: { toolUseId, name: 'look', input: { a: 1 } } });
    expect(body['messages']).to.deep.equal([
      { role: 'user', content: [{ text: 'Go' }] },
      { role: 'assistant', content: [use('call_1'), use('call_1_2')] },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'call_1', content: [{ text: 'done' }] } },
          { cachePoint: { type: 'default', ttl: '1h' } },
          { toolResult: { toolUseId: 'call_1_2', content: [{ text: 'done' }], status: 'error' } },
          { text: 'And?' },
        ],
      },
    ]);
  });

  it('documents have different names of legal characters, and a text beside them', () => {
    const pdf = {
      type: 'media',
      media: { mediaType: 'application/pdf', base64: 'JVBERi0=' },
      name: 'a/b.pdf',
    } as const;
    const { body, lost } = encode({ turns: [user(pdf, pdf)] });
    const document = (name: string) => ({ document: { format: 'pdf', name, source: { bytes: 'JVBERi0=' } } });
    expect(body['messages']).to.deep.equal([
      { role: 'user', content: [document('a b pdf'), document('a b pdf 2'), { text: '…' }] },
    ]);
    expect(lost).to.include.members(['messages', 'messages[0].content[0].name']);
  });

  it('tools that must not be called are left out, unless the history has calls', () => {
    const tools = [{ name: 'look', kind: 'function' }] as const;
    const none = { tools, toolChoice: { mode: 'none' } } as const;
    expect(encode({ ...none, turns: [user({ type: 'text', text: 'Go' })] }).body).to.not.have.property('toolConfig');
    const turns = [
      user({ type: 'text', text: 'Go' }),
      { role: 'assistant', parts: [call('a')] } as const,
      user(result('a')),
    ];
    const { body, lost } = encode({ ...none, turns });
    expect(body['toolConfig']).to.deep.equal({
      tools: [{ toolSpec: { name: 'look', inputSchema: { json: { type: 'object', properties: {} } } } }],
    });
    expect(lost).to.include('tool_choice');
  });

  it('an effort is written into the member from which the model reads it', () => {
    const reasoning = { effort: 'low' };
    expect(encode({ reasoning }, 'reasoning_effort').body['additionalModelRequestFields']).to.deep.equal({
      reasoning_effort: 'low',
    });
    expect(encode({ reasoning }, 'reasoningConfig').body['additionalModelRequestFields']).to.deep.equal({
      reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' },
    });
    const unknown = encode({ reasoning });
    expect(unknown.body).to.not.have.property('additionalModelRequestFields');
    expect(unknown.lost).to.include('effort');
  });
});
