import { expect } from 'chai';
import { client, decode, inboundOf, catchError } from '../exchange.ts';

describe('embeddings: client request', () => {
  it('decodes a text, a list of texts, a list of tokens and several lists', () => {
    expect(decode({ input: 'Hello' }).inputs).to.deep.equal(['Hello']);
    expect(decode({ input: ['Hello', ' ', 'Grüße 😀'] }).inputs).to.deep.equal(['Hello', ' ', 'Grüße 😀']);
    expect(decode({ input: [9906, 0] }).inputs).to.deep.equal([[9906, 0]]);
    expect(decode({ input: [[9906], [1917, 3]] }).inputs).to.deep.equal([[9906], [1917, 3]]);
  });

  it('decodes the model, the dimensions and the encoding, and keeps extra members', () => {
    const { model, request } = client.decodeRequest(
      inboundOf({
        model: 'm',
        input: 'Hi',
        dimensions: 256,
        encoding_format: 'base64',
        user: 'u',
        truncation: true,
        input_type: null,
      }),
    );
    expect(model).to.equal('m');
    expect(request).to.deep.equal({
      inputs: ['Hi'],
      dimensions: 256,
      encoding: 'base64',
      extra: { wire: 'embeddings', members: { user: 'u', truncation: true } },
    });
  });

  it('treats null members of an embedding request as absent', () => {
    expect(decode({ input: 'Hi', dimensions: null, encoding_format: null, user: null })).to.deep.equal({
      inputs: ['Hi'],
      encoding: 'float',
      extra: { wire: 'embeddings', members: {} },
    });
  });

  it('accepts as many inputs as the wire allows', () => {
    expect(decode({ input: Array.from({ length: 2_048 }, () => 'a') }).inputs).to.have.length(2_048);
    expect(decode({ input: Array.from({ length: 8_000 }, (_, index) => index) }).inputs).to.have.length(1);
  });

  const refused: readonly (readonly [what: string, body: object, param: string])[] = [
    ['no input', {}, 'input'],
    ['an input that is null', { input: null }, 'input'],
    ['an empty text', { input: '' }, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['an object as input', { input: { text: 'Hi' } }, 'input'],
    ['a number as input', { input: 7 }, 'input'],
    ['an empty text among others', { input: ['a', ''] }, 'input[1]'],
    ['an empty list of tokens', { input: [[1], []] }, 'input[1]'],
    ['a token among texts', { input: ['a', 1] }, 'input[1]'],
    ['a text among tokens', { input: [1, 'a'] }, 'input[1]'],
    ['a text among lists of tokens', { input: [[1], 'a'] }, 'input[1]'],
    ['null among texts', { input: ['a', null] }, 'input[1]'],
    ['null first', { input: [null, 'a'] }, 'input[0]'],
    ['an object among texts', { input: [{ text: 'a' }] }, 'input[0]'],
    ['lists in lists', { input: [[[1]]] }, 'input[0][0]'],
    ['a negative token', { input: [3, -1] }, 'input[1]'],
    ['half a token', { input: [[1, 0.5]] }, 'input[0][1]'],
    ['one input too many', { input: Array.from({ length: 2_049 }, () => 'a') }, 'input[2048]'],
    ['0 dimensions', { input: 'a', dimensions: 0 }, 'dimensions'],
    ['a fraction of dimensions', { input: 'a', dimensions: 1.5 }, 'dimensions'],
    ['dimensions as a string', { input: 'a', dimensions: '256' }, 'dimensions'],
    ['an unknown encoding', { input: 'a', encoding_format: 'int8' }, 'encoding_format'],
    ['a model that is not a string', { input: 'a', model: 1 }, 'model'],
  ];
  for (const [what, body, param] of refused) {
    it(`rejects a request with ${what} and names ${param}`, () => {
      const { status, code, param: named } = catchError(() => decode({ ...body }));
      expect({ status, code, named }).to.deep.equal({ status: 400, code: 'invalid_request', named: param });
    });
  }
});
