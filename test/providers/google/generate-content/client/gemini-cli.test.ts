import { expect } from 'chai';
import type { JsonObject } from '../../../../../core/api/index.ts';
import { sealProof } from '../../../../../core/api/codec.ts';
import { clientSide, inbound } from './harness.ts';

const origin = { provider: 'anthropic', family: 'claude' };
const sealed = sealProof({ origin, value: 'SIG' });
const declare = (name: string, properties: JsonObject, required: readonly string[]): JsonObject => ({
  name,
  description: `What ${name} does, at length.`,
  parametersJsonSchema: { type: 'object', properties, required, $schema: 'http://json-schema.org/draft-07/schema#' },
});
const path = { type: 'string', description: 'An absolute path.' };

/**
 * An agent like Gemini CLI (https://github.com/google-gemini/gemini-cli) in the middle of a task. Its history has no
 * thoughts and one content per chunk of a turn; ids start with the name of their function, and calls without an id are
 * answered under an invented one.
 */
const agentRequest: JsonObject = {
  systemInstruction: {
    role: 'user',
    parts: [{ text: 'You are an agent that works in a terminal.\n# Core mandates\n…' }],
  },
  contents: [
    { role: 'user', parts: [{ text: 'This is the context of the session.' }] },
    { role: 'model', parts: [{ text: 'Got it.' }] },
    { role: 'user', parts: [{ text: 'What is in a.ts and b.ts?' }] },
    { role: 'model', parts: [{ text: 'I will ' }] },
    { role: 'model', parts: [{ text: 'read both.' }] },
    {
      role: 'model',
      parts: [
        {
          functionCall: { id: 'read_file__toolu_1', name: 'read_file', args: { file_path: '/a.ts' } },
          thoughtSignature: sealed,
        },
      ],
    },
    {
      role: 'model',
      parts: [{ functionCall: { id: 'read_file__toolu_2', name: 'read_file', args: { file_path: '/b.ts' } } }],
    },
    { role: 'model', parts: [{ text: '' }] },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'read_file__toolu_2', name: 'read_file', response: { output: 'let b;' } } },
        { functionResponse: { id: 'read_file__toolu_1', name: 'read_file', response: { error: 'File not found.' } } },
      ],
    },
    {
      role: 'model',
      parts: [
        {
          functionCall: { name: 'glob', args: { pattern: 'a*' } },
          thoughtSignature: 'skip_thought_signature_validator',
        },
        { functionCall: { name: 'glob', args: { pattern: 'b*' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'synth_1', name: 'glob', response: { output: '/src/a.ts' } } },
        {
          functionResponse: {
            id: 'synth_2',
            name: 'glob',
            response: { output: '/src/b.ts' },
            parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
          },
        },
        { text: 'Go on.' },
      ],
    },
  ],
  tools: [
    {
      functionDeclarations: [
        declare('read_file', { file_path: path, offset: { type: 'number' } }, ['file_path']),
        declare('glob', { pattern: { type: 'string' } }, ['pattern']),
      ],
    },
  ],
  generationConfig: {
    temperature: 1,
    topP: 0.95,
    topK: 64,
    thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' },
  },
  safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
};

const read = () =>
  clientSide.decodeRequest(
    inbound(agentRequest, {
      model: 'gemini-3-pro',
      stream: true,
      query: { alt: 'sse' },
      headers: { 'x-goog-api-key': 'k', 'x-goog-api-client': 'google-genai-sdk/1', 'user-agent': 'GeminiCLI/1' },
    }),
  );

describe('generate-content: an agent like Gemini CLI', () => {
  it('sends a stream request that is read with its settings and its tools', () => {
    const { model, framing, request } = read();
    expect([model, framing]).to.deep.equal(['gemini-3-pro', 'sse']);
    expect(request).to.deep.include({
      stream: true,
      temperature: 1,
      topP: 0.95,
      topK: 64,
      reasoning: { effort: 'high', show: true },
    });
    expect(request.tools.map(({ name, kind, schema }) => [name, kind, schema?.['required']])).to.deep.equal([
      ['read_file', 'function', ['file_path']],
      ['glob', 'function', ['pattern']],
    ]);
    expect(request.extra.members).to.deep.equal({ safetySettings: agentRequest['safetySettings'] });
  });

  it('E2 E3 E13 E27 sends turns that are joined and calls that are paired, whatever their ids', () => {
    const { turns } = read().request;
    expect(turns.slice(3)).to.deep.equal([
      { role: 'user', parts: [{ type: 'text', text: 'What is in a.ts and b.ts?' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'I will read both.' },
          {
            type: 'tool-call',
            id: 'read_file__toolu_1',
            name: 'read_file',
            kind: 'function',
            input: '{"file_path":"/a.ts"}',
            proof: { origin, value: 'SIG' },
          },
          {
            type: 'tool-call',
            id: 'read_file__toolu_2',
            name: 'read_file',
            kind: 'function',
            input: '{"file_path":"/b.ts"}',
          },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            type: 'tool-result',
            id: 'read_file__toolu_2',
            name: 'read_file',
            failed: false,
            parts: [{ type: 'text', text: 'let b;' }],
          },
          {
            type: 'tool-result',
            id: 'read_file__toolu_1',
            name: 'read_file',
            failed: true,
            parts: [{ type: 'text', text: 'File not found.' }],
          },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { type: 'tool-call', id: 'call_6_0', name: 'glob', kind: 'function', input: '{"pattern":"a*"}' },
          { type: 'tool-call', id: 'call_6_1', name: 'glob', kind: 'function', input: '{"pattern":"b*"}' },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            type: 'tool-result',
            id: 'call_6_0',
            name: 'glob',
            failed: false,
            parts: [{ type: 'text', text: '/src/a.ts' }],
          },
          {
            type: 'tool-result',
            id: 'call_6_1',
            name: 'glob',
            failed: false,
            parts: [
              { type: 'text', text: '/src/b.ts' },
              { type: 'media', media: { mediaType: 'image/png', base64: 'iVBORw0KGgo=' } },
            ],
          },
          { type: 'text', text: 'Go on.' },
        ],
      },
    ]);
  });
});
