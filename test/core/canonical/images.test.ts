import { expect } from 'chai';
import * as fc from 'fast-check';
import { GatewayError } from '../../../core/api/index.ts';
import { base64Bytes, createImageLimit, parseDataUri } from '../../../core/api/codec.ts';
import { imageLimits } from '../../../core/canonical/images.ts';

const ofBytes = (count: number): string => Buffer.alloc(count).toString('base64');

describe('data URIs', () => {
  const good: readonly (readonly [uri: string, mediaType: string, base64: string])[] = [
    ['data:image/png;base64,iVBO', 'image/png', 'iVBO'],
    ['DATA:IMAGE/JPG;charset=utf-8;BASE64,/9j/\r\n4AA Q', 'image/jpeg', '/9j/4AAQ'],
    ['data:image/webp;base64,a-b_', 'image/webp', 'a+b/'],
    ['data:image/png;name=a.png;base64,iVBO%0D%0Aiv%0a==', 'image/png', 'iVBOiv=='],
    ['data:;base64,iVBORw0KGgoAAA', 'image/png', 'iVBORw0KGgoAAA'],
    ['data:;base64,/9j/4AAQ', 'image/jpeg', '/9j/4AAQ'],
    ['data:;base64,R0lGODlh', 'image/gif', 'R0lGODlh'],
    ['data:;base64,JVBERi0x', 'application/pdf', 'JVBERi0x'],
    ['data:;base64,AAAA', 'application/octet-stream', 'AAAA'],
    ['data:application/pdf;base64,', 'application/pdf', ''],
  ];
  for (const [uri, mediaType, base64] of good) {
    it(`parses the data URI ${JSON.stringify(uri)}`, () =>
      expect(parseDataUri(uri)).to.deep.equal({ mediaType, base64 }));
  }
  for (const uri of [
    'https://example.com/a.png',
    'data:text/plain,hello',
    'data:image/png,iVBO',
    'xdata:image/png;base64,AAAA',
    '',
    'data:',
  ]) {
    it(`does not recognise ${JSON.stringify(uri)} as a data URI`, () => expect(parseDataUri(uri)).to.equal(undefined));
  }
  it('parses a data URI of many megabytes', () => {
    const uri = `data:image/png;base64,${'A'.repeat(8_000_000)}`;
    expect(parseDataUri(uri)?.base64).to.have.length(8_000_000);
    expect(parseDataUri(`data:${';'.repeat(1_000_000)}`)).to.equal(undefined);
  });
});

describe('base64Bytes', () => {
  it('base64Bytes returns the number of encoded bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 50 }),
        (bytes) => void expect(base64Bytes(Buffer.from(bytes).toString('base64'))).to.equal(bytes.length),
      ),
    );
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 50 }),
        (bytes) => void expect(base64Bytes(Buffer.from(bytes).toString('base64url'))).to.equal(bytes.length),
      ),
    );
  });
});

describe('createImageLimit', () => {
  const refusal = (run: () => void): GatewayError | undefined => {
    try {
      run();
    } catch (thrown) {
      if (GatewayError.is(thrown)) return thrown;
      throw thrown;
    }
    return undefined;
  };
  it('accepts images of up to 5 MB and refuses one byte more', () => {
    expect(refusal(() => createImageLimit()(ofBytes(imageLimits.each), 'a'))).to.equal(undefined);
    const error = refusal(() => createImageLimit()(ofBytes(imageLimits.each + 1), 'messages[0].content[1]'));
    expect([error?.status, error?.param]).to.deep.equal([400, 'messages[0].content[1]']);
    expect(error?.message).to.include('5 MB');
  });
  it('accepts images of 12 MB in total and refuses one byte more', () => {
    const gauge = createImageLimit();
    for (const path of ['a', 'b', 'c']) gauge(ofBytes(imageLimits.total / 3), path);
    const error = refusal(() => gauge(ofBytes(1), 'd'));
    expect([error?.status, error?.param]).to.deep.equal([400, 'd']);
    expect(error?.message).to.include('12 MB');
  });
  it('counts the images of each request separately', () => {
    for (let request = 0; request < 3; request++) createImageLimit()(ofBytes(imageLimits.each), 'a');
  });
});
