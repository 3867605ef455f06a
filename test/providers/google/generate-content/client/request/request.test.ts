import { expect } from 'chai';
import { clientSide, decode, inbound, refusal } from '../harness.ts';

const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
const accept = (members: object = {}, extra: Parameters<typeof inbound>[1] = {}) =>
  clientSide.decodeRequest(inbound({ contents, ...members }, extra));
const paramOf = (members: object): string | undefined => {
  const error = refusal(() => accept(members));
  expect(error.status).to.equal(400);
  return error.param;
};

describe('generate-content client: requests', () => {
  it('reads a request with only contents, and adds nothing', () => {
    expect(accept()).to.deep.equal({
      model: 'google/gemini',
      request: {
        wire: 'generate-content',
        turns: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
        tools: [],
        choices: 1,
        reasoning: { show: false },
        stream: false,
        includeUsage: true,
        extra: { wire: 'generate-content', members: {} },
      },
    });
  });

  it('reads the end user from the labels', () => {
    expect(accept({ labels: { user_id: 'alice', user: 'other' } }).user).to.equal('alice');
    expect(accept({ labels: { user: 'bob' } }).user).to.equal('bob');
    expect(accept({ labels: { user: 5 } })).to.not.have.property('user');
  });

  it('E40 reads the model from the path, with or without its collection, and otherwise from the body', () => {
    expect(accept({}, { model: 'models/openai/gpt-4o' }).model).to.equal('openai/gpt-4o');
    expect(accept({}, { model: 'ollama/llama3:8b' }).model).to.equal('ollama/llama3:8b');
    expect(accept({ model: 'models/other' }, { model: 'a/b' })).to.deep.include({ model: 'a/b' });
    const { model: _model, ...pathless } = inbound({ contents, model: 'models/a/c' });
    expect(clientSide.decodeRequest(pathless).model).to.equal('a/c');
    const { model: _none, ...nameless } = inbound({ contents });
    expect(refusal(() => clientSide.decodeRequest(nameless)).param).to.equal('model');
  });

  it('reads a stream of events with alt=sse, of one JSON array without it, and a plain request otherwise', () => {
    const framing = (query: Record<string, string>, stream = true) => accept({}, { query, stream }).framing;
    expect(framing({ alt: 'sse' })).to.equal('sse');
    expect(framing({ $alt: 'sse' })).to.equal('sse');
    expect(framing({ alt: 'json' })).to.equal('json-array');
    expect(framing({})).to.equal('json-array');
    expect(framing({ alt: 'sse' }, false)).to.equal(undefined);
    expect(accept({}, { stream: true }).request.stream).to.equal(true);
  });

  it('reads snake_case at every level, and names an invalid member as it was written', () => {
    const request = decode({
      system_instruction: { parts: { text: 'Be brief.' } },
      generation_config: {
        max_output_tokens: 10,
        stop_sequences: ['a'],
        thinking_config: { include_thoughts: true, thinking_budget: 5 },
        response_mime_type: 'application/json',
      },
      tool_config: { function_calling_config: { mode: 'any', allowed_function_names: ['f'] } },
      tools: { function_declarations: [{ name: 'f', parameters_json_schema: { type: 'object' } }] },
      safety_settings: [{ category: 'A', threshold: 'OFF' }],
    });
    expect(request).to.deep.include({
      maxTokens: 10,
      stop: ['a'],
      output: { type: 'json' },
      reasoning: { budget: 5, show: true },
      toolChoice: { mode: 'required', only: ['f'] },
    });
    expect(request.turns[0]).to.deep.equal({ role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] });
    expect(request.tools).to.deep.equal([{ name: 'f', kind: 'function', schema: { type: 'object' } }]);
    expect(request.extra.members).to.deep.equal({ safety_settings: [{ category: 'A', threshold: 'OFF' }] });
    expect(paramOf({ generation_config: { max_output_tokens: 'x' } })).to.equal('generation_config.max_output_tokens');
  });

  it('E41 treats null members as absent', () => {
    const nulls = {
      systemInstruction: null,
      tools: null,
      toolConfig: { functionCallingConfig: { mode: null, allowedFunctionNames: null } },
      generationConfig: {
        temperature: null,
        stopSequences: null,
        thinkingConfig: null,
        responseSchema: null,
        candidateCount: null,
      },
      cachedContent: null,
      store: null,
      serviceTier: null,
      labels: null,
    };
    expect(decode(nulls)).to.deep.equal(decode());
    expect(decode({ generationConfig: null, toolConfig: null })).to.deep.equal(decode());
    const part = { text: 'hi', thought: null, thoughtSignature: null, inlineData: null };
    expect(decode({ contents: [{ role: null, parts: [part] }] }).turns).to.deep.equal(decode().turns);
  });

  it('reads the settings, and keeps extra members under their paths', () => {
    const request = decode({
      generationConfig: {
        temperature: 1.5,
        responseModalities: ['IMAGE'],
        speechConfig: { a: 1 },
        responseLogprobs: true,
        logprobs: 2,
        thinkingConfig: { thinkingLevel: 'HIGH', future: 1 },
      },
      safetySettings: [],
      labels: { a: 'b' },
      store: false,
      serviceTier: 'flex',
      koine_unknown: 1,
    });
    expect(decode({ generationConfig: { stopSequences: [] } })).to.deep.equal(decode());
    expect(request).to.deep.include({
      temperature: 1.5,
      logprobs: 2,
      store: false,
      serviceTier: 'flex',
      reasoning: { effort: 'high', show: false },
    });
    expect(request.extra.members).to.deep.equal({
      'generationConfig.responseModalities': ['IMAGE'],
      'generationConfig.speechConfig': { a: 1 },
      'generationConfig.thinkingConfig.future': 1,
      safetySettings: [],
      labels: { a: 'b' },
      koine_unknown: 1,
    });
  });

  it('reads thinking: 0 is off, -1 is the default, and thoughts are hidden unless requested', () => {
    const reasoning = (thinkingConfig: object) => decode({ generationConfig: { thinkingConfig } }).reasoning;
    expect(reasoning({ thinkingBudget: 0 })).to.deep.equal({ budget: 0, show: false });
    expect(reasoning({ thinkingBudget: -1, includeThoughts: true })).to.deep.equal({ show: true });
    expect(reasoning({ thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED' })).to.deep.equal({ show: false });
    expect(paramOf({ generationConfig: { thinkingConfig: { thinkingBudget: -2 } } })).to.equal(
      'generationConfig.thinkingConfig.thinkingBudget',
    );
  });

  it('reads an output format in either dialect, and keeps one that only this wire has with its schema', () => {
    const config = (generationConfig: object) => decode({ generationConfig });
    const json = 'application/json';
    expect(config({ responseMimeType: json }).output).to.deep.equal({ type: 'json' });
    expect(
      config({
        responseMimeType: json,
        responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true } } },
      }).output,
    ).to.deep.equal({
      type: 'schema',
      schema: { type: 'object', properties: { a: { type: ['string', 'null'] } } },
    });
    expect(config({ responseJsonSchema: { type: 'object', additionalProperties: false } }).output).to.deep.equal({
      type: 'schema',
      schema: { type: 'object', additionalProperties: false },
    });
    expect(
      config({ responseJsonSchema: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } }).output,
    ).to.deep.equal({
      type: 'schema',
      schema: { type: 'object', properties: { a: { type: 'string' } } },
    });
    expect(config({ responseMimeType: 'text/plain' })).to.deep.equal(decode());
    const enumeration = { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['a'] } };
    expect(config(enumeration).output).to.equal(undefined);
    expect(config(enumeration).extra.members).to.deep.equal({
      'generationConfig.responseMimeType': 'text/x.enum',
      'generationConfig.responseSchema': enumeration.responseSchema,
    });
  });

  it('names members that refer to state at the vendor', () => {
    const request = decode({ cachedContent: 'cachedContents/1', continuationToken: 't' });
    expect(request.vendorState).to.deep.equal(['cachedContent', 'continuationToken']);
    expect(request.extra.members).to.deep.equal({ cachedContent: 'cachedContents/1', continuationToken: 't' });
    expect(decode({ cached_content: 'c' }).vendorState).to.deep.equal(['cached_content']);
  });

  it('the error names the invalid member of a request', () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ contents: undefined }, 'contents'],
      [{ contents: [] }, 'contents'],
      [{ contents: 'hi' }, 'contents'],
      [{ contents: ['hi'] }, 'contents[0]'],
      [{ contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] }, 'contents[0].role'],
      [{ contents: [{ role: 'constructor', parts: [{ text: 'a' }] }] }, 'contents[0].role'],
      [{ contents: [{ parts: [] }] }, 'contents[0].parts'],
      [{ contents: [{ parts: [{}] }] }, 'contents[0].parts[0]'],
      [{ contents: [{ parts: [{ text: 1 }] }] }, 'contents[0].parts[0].text'],
      [{ contents: [{ parts: [{ text: 'a', thought: 'yes' }] }] }, 'contents[0].parts[0].thought'],
      [{ contents: [{ parts: [{ text: 'a', thoughtSignature: 1 }] }] }, 'contents[0].parts[0].thoughtSignature'],
      [{ contents: [{ parts: [{ inlineData: { data: 'AA' } }] }] }, 'contents[0].parts[0].inlineData.mimeType'],
      [{ contents: [{ parts: [{ fileData: {} }] }] }, 'contents[0].parts[0].fileData.fileUri'],
      [
        { contents: [{ role: 'model', parts: [{ functionCall: { name: 'f', args: '{}' } }] }] },
        'contents[0].parts[0].functionCall.args',
      ],
      [{ contents: [{ role: 'model', parts: [{ functionCall: {} }] }] }, 'contents[0].parts[0].functionCall.name'],
      [{ contents: [{ role: 'user', parts: [{ functionCall: { name: 'f' } }] }] }, 'contents[0].parts[0].functionCall'],
      [
        { contents: [{ role: 'model', parts: [{ functionResponse: { name: 'f' } }] }] },
        'contents[0].parts[0].functionResponse',
      ],
      [
        { contents: [{ parts: [{ functionResponse: { name: 'f', response: 'x' } }] }] },
        'contents[0].parts[0].functionResponse.response',
      ],
      [{ systemInstruction: 1 }, 'systemInstruction'],
      [{ tools: [{ functionDeclarations: [{}] }] }, 'tools[0].functionDeclarations[0].name'],
      [
        { tools: [{ functionDeclarations: [{ name: 'f', parameters: 'x' }] }] },
        'tools[0].functionDeclarations[0].parameters',
      ],
      [{ toolConfig: { functionCallingConfig: { mode: 'SOME' } } }, 'toolConfig.functionCallingConfig.mode'],
      [{ toolConfig: { functionCallingConfig: { mode: 'constructor' } } }, 'toolConfig.functionCallingConfig.mode'],
      [{ generationConfig: { temperature: 3 } }, 'generationConfig.temperature'],
      [{ generationConfig: { candidateCount: 0 } }, 'generationConfig.candidateCount'],
      [{ generationConfig: { maxOutputTokens: 1.5 } }, 'generationConfig.maxOutputTokens'],
      [{ generationConfig: { stopSequences: [1] } }, 'generationConfig.stopSequences[0]'],
      [{ generationConfig: { responseJsonSchema: [] } }, 'generationConfig.responseJsonSchema'],
      [{ store: 'no' }, 'store'],
    ];
    for (const [members, param] of wrong) expect(paramOf(members), JSON.stringify(members)).to.equal(param);
    expect(refusal(() => clientSide.decodeRequest(inbound([]))).status).to.equal(400);
  });
});
