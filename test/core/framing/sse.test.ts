import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Frame } from '../../../core/contracts/framing.ts';
import { sse } from '../../../core/framing/sse.ts';

const MEGABYTE = 1_048_576;

const decodeChunks = (chunks: readonly (string | Uint8Array)[], frameBytes = 8 * MEGABYTE): Frame[] => {
  const frames: Frame[] = [];
  const decoder = sse.decoder({ frameBytes });
  for (const chunk of chunks)
    decoder.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk, (frame) => frames.push(frame));
  decoder.end((frame) => frames.push(frame));
  return frames;
};
const events = (frames: readonly Frame[]) =>
  frames.filter((frame) => frame.data !== '').map(({ event, data }) => [event, data]);
const joined = (frames: readonly Frame[]) => Buffer.concat(frames.map((frame) => frame.raw ?? Buffer.alloc(0)));
const read = (text: string) => events(decodeChunks([text]));

describe('server-sent events, decoded', () => {
  for (const [name, eol] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ] as const) {
    it(`reads lines that end in ${name}`, () => {
      expect(read(`event: a${eol}data: 1${eol}${eol}data: 2${eol}${eol}`)).to.deep.equal([
        ['a', '1'],
        [undefined, '2'],
      ]);
    });
  }
  it('reads an event stream with mixed line ends', () => {
    expect(read('event: a\r\ndata: 1\r\rdata: 2\n\r\ndata: 3\r\n\n')).to.deep.equal([
      ['a', '1'],
      [undefined, '2'],
      [undefined, '3'],
    ]);
  });
  it('ignores a byte order mark at the beginning, and only there', () => {
    expect(read('\uFEFFdata: 1\n\n\uFEFFdata: 2\n\ndata: 3\n\n')).to.deep.equal([
      [undefined, '1'],
      [undefined, '3'],
    ]);
  });
  it('removes one leading space of a value, and no more', () => {
    expect(read('data:1\n\ndata: 2\n\ndata:  3\n\n')).to.deep.equal([
      [undefined, '1'],
      [undefined, '2'],
      [undefined, ' 3'],
    ]);
  });
  it('joins the data lines of one event', () => {
    expect(read('data: {\ndata:  "a": 1\ndata\ndata: }\n\n')).to.deep.equal([[undefined, '{\n "a": 1\n\n}']]);
  });
  it('ignores id, retry and field names that only begin like a known one', () => {
    expect(read('id: 7\nretry: 100\nevents: x\ndatabase: y\ndata: 1\n\n')).to.deep.equal([[undefined, '1']]);
  });
  it('emits a block of comments as a frame without data, so that its bytes can be relayed', () => {
    const frames = decodeChunks([': OPENROUTER PROCESSING\n\ndata: 1\n\n']);
    expect(frames.map(({ event, data }) => [event, data])).to.deep.equal([
      [undefined, ''],
      [undefined, '1'],
    ]);
    expect(Buffer.from(frames[0]?.raw ?? []).toString()).to.equal(': OPENROUTER PROCESSING\n\n');
  });
  it('does not treat an event name without data as an event', () => {
    expect(decodeChunks(['event: ping\n\n']).map(({ event, data }) => [event, data])).to.deep.equal([[undefined, '']]);
  });
  it('emits a last event without a blank line', () => {
    expect(read('data: 1\n\ndata: 2\n')).to.deep.equal([
      [undefined, '1'],
      [undefined, '2'],
    ]);
    expect(read('data: 1\n\ndata: 2')).to.deep.equal([
      [undefined, '1'],
      [undefined, '2'],
    ]);
    expect(decodeChunks([])).to.deep.equal([]);
  });
  it('emits a frame as soon as its blank line has arrived, with or without CR', () => {
    for (const text of ['data: 1\n\n', 'data: 1\r\n\r\n', 'data: 1\r\r', 'data: 1\r\n\r']) {
      const frames: Frame[] = [];
      sse.decoder({ frameBytes: 100 }).push(Buffer.from(text), (frame) => frames.push(frame));
      expect(frames, JSON.stringify(text)).to.have.length(1);
    }
  });
  it('makes one event of a CRLF that is split over two chunks', () => {
    const frames = decodeChunks(['data: 1\r', '\n\r', '\ndata: 2\r\n\r', '\n']);
    expect(events(frames)).to.deep.equal([
      [undefined, '1'],
      [undefined, '2'],
    ]);
    expect(joined(frames).toString()).to.equal('data: 1\r\n\r\ndata: 2\r\n\r\n');
  });
  it('emits a complete frame before the last LF of its last CRLF has arrived', () => {
    const texts: string[] = [];
    const decoder = sse.decoder({ frameBytes: 100 });
    const keep = ({ raw }: Frame): void => void texts.push(Buffer.from(raw ?? []).toString());
    for (const chunk of ['data: 1\r\n\r', '\ndata: 2\r\n', '\r', '\n', 'data: 3\r\n\r', 'data: 4\r\r', '\n'])
      decoder.push(Buffer.from(chunk), keep);
    decoder.end(keep);
    expect(texts).to.deep.equal(['data: 1\r\n\r\n', 'data: 2\r\n\r\n', 'data: 3\r\n\r\n', 'data: 4\r\r', '\n']);
  });
  it('decodes a character of an event stream whose bytes are split', () => {
    const bytes = Buffer.from('data: 😀é\n\n');
    expect(events(decodeChunks(Array.from(bytes, (byte) => Uint8Array.of(byte))))).to.deep.equal([[undefined, '😀é']]);
  });
  it('emits views of the chunk for a frame within one chunk', () => {
    const chunk = Buffer.from('data: 1\n\ndata: 2\n\n');
    for (const frame of decodeChunks([chunk])) expect(frame.raw?.buffer).to.equal(chunk.buffer);
  });
  it('reads an event of 1 MB in small chunks', () => {
    const text = `data: ${'x'.repeat(MEGABYTE)}\n\n`;
    const chunks = Array.from({ length: Math.ceil(text.length / 1_400) }, (_, index) =>
      text.slice(index * 1_400, (index + 1) * 1_400),
    );
    expect(events(decodeChunks(chunks))[0]?.[1]).to.have.length(MEGABYTE);
  });
  it('refuses an event above the maximum length in any chunking', () => {
    const long = `data: ${'x'.repeat(200)}\n\n`;
    for (const chunks of [[long], [long.slice(0, 50), long.slice(50)], [long.slice(0, 150)]]) {
      expect(() => decodeChunks(chunks, 100))
        .to.throw('longer than 100 bytes')
        .with.property('code', 'upstream_bad_response');
    }
    expect(events(decodeChunks([`data: 1\n\n`.repeat(100)], 100))).to.have.length(100);
  });
  it('replaces bytes of an event stream that are not UTF-8', () => {
    const [frame] = decodeChunks([Buffer.from([...Buffer.from('data: a'), 0xff, 0xc3, 0x28, ...Buffer.from('\n\n')])]);
    expect(frame?.data).to.equal('a\uFFFD\uFFFD(');
    expect(Buffer.from('data: a\uFFFD\uFFFD(\n\n').equals(frame?.raw ?? new Uint8Array())).to.equal(true);
  });
  it('keeps a replacement character that the provider sent', () => {
    const bytes = Buffer.from('data: \uFFFD\n\n');
    expect(joined(decodeChunks([bytes])).equals(bytes)).to.equal(true);
  });

  const linesOf = (bytes: Buffer): string => bytes.toString().replaceAll(/\r\n?/g, '\n');
  /** CR alone after another line end: where a chunk ends with it, an LF is expected. */
  const mixesLineEnds = /\n\r(?!\n)/;
  const piece = fc.constantFrom(
    'data: ',
    'data:',
    'data',
    'event: x',
    'event:',
    'id: 1',
    ': c',
    '\n',
    '\n\n',
    '\r',
    '\r\n',
    '\r\n\r\n',
    'é',
    '😀',
    '{"a":1}',
    '\uFEFF',
    '\0',
    ' ',
  );
  it('emits the same events and lines in any chunking, and the same bytes unless line ends are mixed', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.nat({ max: 200 }), { maxLength: 12 }),
        (pieces, cuts) => {
          const bytes = Buffer.from(pieces.join(''));
          const whole = decodeChunks([bytes]);
          const edges = [0, ...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length];
          const chunked = decodeChunks(edges.slice(1).map((end, index) => bytes.subarray(edges[index], end)));
          expect(events(chunked)).to.deep.equal(events(whole));
          for (const frames of [chunked, whole]) expect(linesOf(joined(frames))).to.equal(linesOf(bytes));
          if (!mixesLineEnds.test(bytes.toString()))
            for (const frames of [chunked, whole]) expect(joined(frames).equals(bytes)).to.equal(true);
        },
      ),
      { numRuns: 10_000 },
    );
  });
});

describe('server-sent events, written', () => {
  const { writer } = sse;
  it('writes the event name only if there is one', () => {
    expect(writer?.frame(undefined, '{}', true)).to.equal('data: {}\n\n');
    expect(writer?.frame('ping', '{}', false)).to.equal('event: ping\ndata: {}\n\n');
    expect([writer?.close(), writer?.idle()]).to.deep.equal(['', ': keep-alive\n\n']);
  });
  it('writes data with line breaks such that its decoder restores it', () => {
    fc.assert(
      fc.property(fc.constantFrom(undefined, 'a', 'message_start'), fc.stringMatching(/^[^\0]+$/), (event, data) => {
        const text = writer?.frame(event, data, false) ?? '';
        expect(read(text)).to.deep.equal([[event, data.toWellFormed().replaceAll(/\r\n?/g, '\n')]]);
      }),
    );
  });
});
