import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createMark, createSearcher, type Mark } from './marks.ts';

describe('the search for marked secrets', () => {
  const vendor = createMark('vendor', 'sk-live-');
  const token = createMark('token');
  const search = createSearcher([vendor, token]);

  /** Every form in which a secret can be in an output. */
  const leaks: Readonly<Record<string, (mark: Mark) => string | Buffer>> = {
    'as it is': ({ value }) => `authorization: Bearer ${value}\r\n`,
    'in lower case': ({ value }) => value.toLowerCase(),
    'its first half': ({ random }) => `[${random.slice(0, 12)}…]`,
    'its last half': ({ random }) => `…${random.slice(-12)}`,
    'escaped for JSON': ({ value }) => JSON.stringify({ error: value }),
    'escaped for JSON twice': ({ value }) => JSON.stringify(JSON.stringify({ error: value })),
    'escaped for JSON by code points': ({ value }) =>
      [...value]
        .map((char) => (/[a-z0-9]/i.test(char) ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`))
        .join(''),
    'escaped for a URL': ({ value }) => `/v1?key=${encodeURIComponent(value)}`,
    'escaped for a URL twice': ({ value }) => encodeURIComponent(encodeURIComponent(value)),
    'in Base64': ({ value }) => Buffer.from(value).toString('base64'),
    'in Base64 of a header': ({ value }) => `Basic ${Buffer.from(`user:${value}`).toString('base64')}`,
    'in Base64 of a document': ({ value }) => Buffer.from(JSON.stringify({ a: 1, value, b: 2 })).toString('base64'),
    'in Base64 for URLs': ({ value }) => Buffer.from(`ab${value}c`).toString('base64url'),
    'in Base64 of lines': ({ value }) =>
      Buffer.from(`a${value}`)
        .toString('base64')
        .replaceAll(/(.{16})/g, '$1\n'),
    'in hexadecimal': ({ value }) => Buffer.from(value).toString('hex').toUpperCase(),
    'broken into lines': ({ value }) => value.replaceAll(/(.{7})/g, '$1\n'),
    'letter by letter': ({ value }) => [...value].join(' '),
    'in the pieces of a stream': ({ random }) =>
      `data: {"delta":"${random.slice(0, 11)}"}\n\ndata: {"delta":"${random.slice(11)}"}\n\n`,
    'in bytes': ({ value }) => Buffer.concat([Buffer.from([0, 255, 10]), Buffer.from(value), Buffer.from([200])]),
  };

  for (const [title, leak] of Object.entries(leaks)) {
    it(`finds a secret: ${title}`, () => {
      expect(search(leak(vendor))).to.deep.equal(['vendor']);
      expect(search(leak(token))).to.deep.equal(['token']);
    });
  }

  it('finds any ten letters and digits in a row, wherever they stand', () => {
    const letters = vendor.random.replaceAll(/[^A-Za-z0-9]/g, '');
    for (let from = 0; from + 10 <= letters.length; from += 1)
      for (let before = 0; before < 10; before += 1)
        expect(search('.'.repeat(before) + '0'.repeat(before) + letters.slice(from, from + 10))).to.include('vendor');
  });

  it('names all secrets in an output', () =>
    expect(search(`${token.value} ${vendor.value}`)).to.deep.equal(['token', 'vendor']));

  it('finds no secret in a text without a whole one: other secrets, a prefix, a digest, a mask, nothing', () => {
    const digest = createHash('sha256').update(vendor.value).digest();
    const outputs = [
      createMark('other', 'sk-live-').value,
      'sk-live-',
      vendor.random.slice(0, 6),
      digest.toString('hex'),
      digest.toString('base64'),
      'Bearer [redacted]',
      '',
    ];
    for (const output of outputs) expect(search(output), output).to.deep.equal([]);
  });
});
