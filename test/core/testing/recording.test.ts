import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRecordings } from '../../../core/testing/index.ts';

describe('recordings', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'koine-recordings-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value));

  it('loads recordings in the order of their names, without other files', () => {
    const recording = {
      origin: 'by hand',
      wire: 'messages',
      request: { body: {} },
      response: { status: 200, text: 'data: 1\n\n' },
    };
    write('b.json', recording);
    write('a.json', recording);
    writeFileSync(join(folder, 'README.md'), 'not one');
    expect(loadRecordings(folder).map(({ name }) => name)).to.deep.equal(['a.json', 'b.json']);
    expect(loadRecordings(folder)[0]).to.deep.equal({ name: 'a.json', ...recording });
  });
  const refused: readonly (readonly [why: string, value: unknown])[] = [
    ["'origin' is missing", { wire: 'messages', request: { body: {} } }],
    ["'origin' is missing", { origin: '', wire: 'messages', request: { body: {} } }],
    ["'wire' is missing", { origin: 'by hand', request: { body: {} } }],
    ["neither 'request' nor 'response'", { origin: 'by hand', wire: 'messages' }],
    [
      "'expected' must be an object",
      { origin: 'by hand', wire: 'messages', request: { body: {} }, expected: 'unread' },
    ],
    ["'request' has no 'body'", { origin: 'by hand', wire: 'messages', request: {} }],
    ["'response' has no 'status'", { origin: 'by hand', wire: 'messages', response: { body: {} } }],
    ["one of 'body', 'text' and 'file'", { origin: 'by hand', wire: 'messages', response: { status: 200 } }],
    [
      "one of 'body', 'text' and 'file'",
      { origin: 'by hand', wire: 'messages', response: { status: 200, body: {}, text: '' } },
    ],
    ['must be a JSON object', []],
  ];
  for (const [why, value] of refused) {
    it(`refuses a recording: ${why}, in ${JSON.stringify(value)}`, () => {
      write('a.json', value);
      expect(() => loadRecordings(folder))
        .to.throw(`a.json: `)
        .with.property('message')
        .that.includes(why);
    });
  }
});
