import { expect } from 'chai';
import type { JsonObject } from '../../../core/api/index.ts';
import type { Loss } from '../../../core/api/codec.ts';
import { createEdits } from '../../../providers/google/edits.ts';

const SENTINEL = 'skip_thought_signature_validator';
const edit = (model: string, body: JsonObject) => {
  const losses: Loss[] = [];
  const made =
    createEdits(model).edits?.(body, {
      stream: false,
      headers: {},
      lose: (field, kind, detail) => void losses.push({ field, kind, detail }),
    }) ?? [];
  return {
    changes: Object.fromEntries(made.map(({ member, value }) => [member, value])),
    losses: losses.map(({ field, kind }) => `${kind} ${field}`),
  };
};
const user = { role: 'user', parts: [{ text: 'hi' }] };
const call = (name: string, more = {}) => ({ functionCall: { name, args: {} }, ...more });
const model = (...parts: readonly unknown[]) => ({ role: 'model', parts });
const answer = { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] };

describe('E37: signatures of calls to Gemini 3', () => {
  it('adds the placeholder to the first call of each step if its signature is missing', () => {
    const contents = [user, model({ text: 'a' }, call('f'), call('g')), answer, model(call('h')), answer];
    const { changes, losses } = edit('gemini-3-pro-preview', { contents });
    expect(changes).to.deep.equal({
      contents: [
        user,
        model({ text: 'a' }, call('f', { thoughtSignature: SENTINEL }), call('g')),
        answer,
        model(call('h', { thoughtSignature: SENTINEL })),
        answer,
      ],
    });
    expect(losses).to.deep.equal(['injected contents.thoughtSignature']);
  });

  it('keeps existing signatures, and calls after the first one in other contents', () => {
    const contents = [
      user,
      model({ text: 'hm', thought: true }),
      model(call('f', { thoughtSignature: 'S' })),
      model(call('g')),
      answer,
      model({ function_call: { name: 'h' }, thought_signature: 'S' }),
    ];
    expect(edit('gemini-3-flash-preview', { contents })).to.deep.equal({ changes: {}, losses: [] });
  });

  it('adds the placeholder to a single part and a single content', () => {
    const single = { role: 'model', parts: call('f') };
    const signed = model(call('f', { thoughtSignature: SENTINEL }));
    expect(edit('gemini-3-pro-preview', { contents: [user, single] }).changes).to.deep.equal({
      contents: [user, signed],
    });
    expect(edit('gemini-3-pro-preview', { contents: single }).changes).to.deep.equal({ contents: [signed] });
  });

  it('adds no signature placeholder for earlier models', () => {
    for (const name of ['gemini-2.5-flash', 'gemini-2.0-flash', 'gemini-flash-latest'])
      expect(edit(name, { contents: [user, model(call('f'))] }).changes, name).to.deep.equal({});
  });

  it('the edits ignore malformed parts', () => {
    for (const contents of [
      undefined,
      null,
      1,
      'x',
      {},
      [null, 1, 'x', [], { role: 'model' }, { role: 'model', parts: 'x' }, model(null, 1, { functionCall: null })],
    ]) {
      expect(edit('gemini-3-flash', { contents }).changes, JSON.stringify(contents)).to.deep.equal({});
    }
  });
});

describe('the system instruction of Gemma', () => {
  const system = { parts: [{ text: 'Be brief.' }] };
  it('moves the system instruction of Gemma to the start of the first user turn', () => {
    const { changes, losses } = edit('gemma-3-27b-it', {
      systemInstruction: system,
      contents: [user, model({ text: 'a' })],
    });
    expect(changes).to.deep.equal({
      systemInstruction: undefined,
      contents: [{ role: 'user', parts: [{ text: 'Be brief.' }, { text: 'hi' }] }, model({ text: 'a' })],
    });
    expect(losses).to.deep.equal(['approximated systemInstruction']);
  });

  it('makes the system instruction of Gemma a separate turn if the model speaks first', () => {
    expect(
      edit('gemma-3-27b-it', { system_instruction: 'Be brief.', contents: [model({ text: 'a' })] }).changes,
    ).to.deep.equal({
      system_instruction: undefined,
      contents: [{ role: 'user', parts: [{ text: 'Be brief.' }] }, model({ text: 'a' })],
    });
  });

  it('moves the system instruction of Gemma into a single content without losing anything', () => {
    const { changes } = edit('gemma-3-27b-it', { systemInstruction: system, contents: { parts: { text: 'hi' } } });
    expect(changes['contents']).to.deep.equal([{ parts: [...system.parts, { text: 'hi' }] }]);
  });

  it('edits the system instruction for no other model, and only if there is one', () => {
    expect(edit('gemini-2.5-pro', { systemInstruction: system, contents: [user] }).changes).to.deep.equal({});
    expect(edit('gemma-3-27b-it', { systemInstruction: null, contents: [user] }).changes).to.deep.equal({});
  });
});

describe('results with media before Gemini 3', () => {
  const image = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
  const result = (name: string, ...parts: readonly unknown[]) => ({
    functionResponse: { name, response: {}, ...(parts.length === 0 ? {} : { parts }) },
  });
  const body = { contents: [user, { role: 'user', parts: [result('f', image), result('g'), { text: 'go on' }] }] };

  it('moves the media of results after all results of the turn', () => {
    const { changes, losses } = edit('gemini-2.5-flash', body);
    expect(changes).to.deep.equal({
      contents: [user, { role: 'user', parts: [result('f'), result('g'), image, { text: 'go on' }] }],
    });
    expect(losses).to.deep.equal(['approximated contents.parts.functionResponse.parts']);
  });

  it('moves the media of a single part in a single content as well', () => {
    const single = { functionResponse: { name: 'f', response: {}, parts: image } };
    expect(edit('gemini-2.5-flash', { contents: { parts: single } }).changes).to.deep.equal({
      contents: [{ parts: [result('f'), image] }],
    });
  });

  it('keeps media inside results from Gemini 3 on', () => {
    expect(edit('gemini-3-flash-preview', body).changes).to.deep.equal({});
  });
});

describe('penalties of Gemini 2.5', () => {
  const body = { generationConfig: { presencePenalty: 1, frequency_penalty: 0.5, seed: 1 } };
  it('removes the penalties for Gemini 2.5 and names each as lost', () => {
    expect(edit('gemini-2.5-pro', body)).to.deep.equal({
      changes: { generationConfig: { seed: 1 } },
      losses: ['dropped generationConfig.presencePenalty', 'dropped generationConfig.frequency_penalty'],
    });
    expect(edit('gemini-2.5-pro', { generationConfig: { seed: 1, presencePenalty: null } }).changes).to.deep.equal({});
  });
  it('keeps penalties for all models but Gemini 2.5', () => {
    for (const name of ['gemini-2.0-flash', 'gemini-3-flash-preview'])
      expect(edit(name, body).changes, name).to.deep.equal({});
  });
});
