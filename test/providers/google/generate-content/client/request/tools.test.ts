import { expect } from 'chai';
import { decode } from '../harness.ts';

const choose = (functionCallingConfig: object, others: object = {}) =>
  decode({ toolConfig: { functionCallingConfig, ...others } });

describe('generate-content client: tools', () => {
  it('reads functions in either dialect, with their extra members', () => {
    const functionDeclarations = [
      {
        name: 'a',
        description: 'd',
        parameters: { type: 'OBJECT', properties: { x: { type: 'INTEGER' } }, required: ['x'] },
        response: { type: 'STRING' },
        behavior: 'NON_BLOCKING',
      },
      { name: 'b', parametersJsonSchema: { type: 'object', properties: { y: { const: 1 } } } },
      { name: 'c' },
      { name: 'd', parametersJsonSchema: { type: 'OBJECT', properties: { z: { type: 'NUMBER' } } } },
    ];
    expect(decode({ tools: [{ functionDeclarations }] }).tools).to.deep.equal([
      {
        name: 'a',
        kind: 'function',
        description: 'd',
        schema: { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] },
        vendor: { response: { type: 'STRING' }, behavior: 'NON_BLOCKING' },
      },
      { name: 'b', kind: 'function', schema: { type: 'object', properties: { y: { const: 1 } } } },
      { name: 'c', kind: 'function' },
      { name: 'd', kind: 'function', schema: { type: 'object', properties: { z: { type: 'number' } } } },
    ]);
  });

  it('reads vendor tools by name, in one entry with functions or in their own', () => {
    const tools = [
      { functionDeclarations: [{ name: 'f' }], googleSearch: {}, urlContext: { a: 1 } },
      { codeExecution: {} },
      { fileSearch: null },
      {},
    ];
    expect(decode({ tools }).tools).to.deep.equal([
      { name: 'f', kind: 'function' },
      { name: 'googleSearch', kind: 'hosted', vendor: { googleSearch: {} }, webSearch: {} },
      { name: 'urlContext', kind: 'hosted', vendor: { urlContext: { a: 1 } } },
      { name: 'codeExecution', kind: 'hosted', vendor: { codeExecution: {} } },
    ]);
  });

  it('E22 reads every mode with the names of the allowed functions', () => {
    expect(choose({ mode: 'AUTO' }).toolChoice).to.deep.equal({ mode: 'auto' });
    expect(choose({ mode: 'none' }).toolChoice).to.deep.equal({ mode: 'none' });
    expect(choose({ mode: 'ANY', allowedFunctionNames: [] }).toolChoice).to.deep.equal({ mode: 'required' });
    expect(choose({ mode: 'ANY', allowedFunctionNames: ['f'] }).toolChoice).to.deep.equal({
      mode: 'required',
      only: ['f'],
    });
    expect(choose({ allowedFunctionNames: ['f'] }).toolChoice).to.deep.equal({ mode: 'auto', only: ['f'] });
    expect(choose({ mode: 'MODE_UNSPECIFIED' }).toolChoice).to.equal(undefined);
    expect(choose({ mode: 'AUTO' }).extra.members).to.deep.equal({});
  });

  it('reads a mode that is written as the number of the enum', () => {
    expect(choose({ mode: 2 }).toolChoice).to.deep.equal({ mode: 'required' });
    expect(choose({ mode: 0 }).toolChoice).to.equal(undefined);
    expect(() => choose({ mode: 9 })).to.throw("must be one of 'AUTO'");
  });

  it('reads VALIDATED as AUTO and keeps it for this wire', () => {
    const request = choose(
      { mode: 'VALIDATED', allowedFunctionNames: ['f'], streamFunctionCallArguments: true },
      { retrievalConfig: { languageCode: 'de' } },
    );
    expect(request.toolChoice).to.deep.equal({ mode: 'auto', only: ['f'] });
    expect(request.extra.members).to.deep.equal({
      'toolConfig.retrievalConfig': { languageCode: 'de' },
      'toolConfig.functionCallingConfig.mode': 'VALIDATED',
      'toolConfig.functionCallingConfig.streamFunctionCallArguments': true,
    });
  });
});
