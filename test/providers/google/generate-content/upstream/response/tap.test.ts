import { expect } from 'chai';
import { GatewayError } from '../../../../../../core/api/index.ts';
import { createTap } from '../../../../../../providers/google/generate-content/upstream/response/tap.ts';
import { chunk, stop } from '../exchange.ts';

const see = (...chunks: readonly unknown[]) => {
  const tap = createTap();
  const verdicts = chunks.map((data) =>
    tap.inspectFrame({ event: undefined, data: typeof data === 'string' ? data : JSON.stringify(data) }),
  );
  return { tap, verdicts };
};
const body = (value: unknown) => {
  const tap = createTap();
  tap.inspectBody(value);
  return tap;
};

describe('the tap of generate-content', () => {
  it('holds chunks without visible content, and commits with the first visible one', () => {
    const { verdicts, tap } = see(
      { usageMetadata: { trafficType: 'ON_DEMAND' } },
      chunk([{ text: '' }, { text: '', thought: true }]),
      chunk([{ text: 'hm', thought: true }]),
      '',
      chunk([{ text: 'a' }]),
      chunk([{ text: '' }], stop),
    );
    expect(verdicts).to.deep.equal(['hold', 'hold', 'content', 'pass', 'content', 'pass']);
    expect(tap.end()).to.equal(undefined);
  });

  it('commits with calls, media, signatures and unknown parts', () => {
    for (const part of [
      { functionCall: { name: 'f' } },
      { inlineData: {} },
      { text: '', thoughtSignature: 'S' },
      { executableCode: {} },
      { brandNew: 1 },
    ]) {
      expect(see(chunk([part])).verdicts, JSON.stringify(part)).to.deep.equal(['content']);
    }
  });

  it('counts characters, and reads the usage, the model and the end', () => {
    const { tap } = see(
      chunk([{ text: 'ab' }, { text: 'c', thought: true }]),
      chunk([{ functionCall: { name: 'f', args: { a: 1 } } }], stop, {
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
      }),
    );
    expect(tap.observed).to.deep.include({
      outputChars: 3 + 1 + '{"a":1}'.length,
      model: 'gemini-2.5-flash',
      finish: { reason: 'tool_calls', vendor: 'STOP' },
    });
    expect(tap.observed.usage?.output).to.equal(4);
  });

  it('E28: withholds the terminal event of another wire', () => {
    const { verdicts, tap } = see(chunk([{ text: 'a' }], stop), '[DONE]');
    expect(verdicts).to.deep.equal(['content', 'withhold']);
    expect(tap.end()).to.equal(undefined);
    expect(see(chunk([{ text: 'a' }]), '[DONE]').tap.end()?.code).to.equal('upstream_truncated');
  });

  it('E30: reports a truncated stream', () => {
    expect(see(chunk([{ text: 'a' }])).tap.end()?.code).to.equal('upstream_truncated');
    expect(see().tap.end()?.code).to.equal('upstream_truncated');
    expect(see({ candidates: [{ index: 0, finishReason: 'STOP' }, { index: 1 }] }).tap.end()?.code).to.equal(
      'upstream_truncated',
    );
  });

  it('E34: accepts a blocked prompt as a response', () => {
    const blocked = {
      promptFeedback: { blockReason: 'SAFETY' },
      usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 },
    };
    const { tap, verdicts } = see(blocked);
    expect([verdicts, tap.end(), tap.observed.finish?.reason]).to.deep.equal([['hold'], undefined, 'content_filter']);
    expect([body(blocked).observed.error, body(blocked).observed.finish?.reason]).to.deep.equal([
      undefined,
      'content_filter',
    ]);
  });

  it('E35: passes a response with a malformed call', () => {
    for (const word of ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'NEW_WORD']) {
      const ended = chunk([], { finishReason: word });
      expect([see(ended).verdicts, see(ended).tap.end()], word).to.deep.equal([['hold'], undefined]);
      for (const { observed } of [see(ended).tap, body(ended)])
        expect([observed.error, observed.finish?.vendor], word).to.deep.equal([undefined, word]);
    }
  });

  it("passes the vendor's own error, and rejects what is not a chunk", () => {
    const { tap, verdicts } = see(chunk([{ text: 'a' }]), {
      error: { code: 503, message: 'm', status: 'UNAVAILABLE' },
    });
    expect(verdicts).to.deep.equal(['content', 'error']);
    expect(tap.observed.error?.vendor?.status).to.equal(503);
    expect(see('{"a":').tap.observed.error?.vendor).to.equal(undefined);
    for (const value of [
      1,
      null,
      {},
      { candidates: [] },
      { candidates: [{}] },
      { candidates: [{ content: { parts: [{ text: '' }] } }] },
    ])
      expect(body(value).observed.error?.code, JSON.stringify(value)).to.equal('upstream_bad_response');
  });

  it('ends a stream with the error of this wire, with a numeric code for the SDK', () => {
    const written: (readonly [string | undefined, string])[] = [];
    createTap().fail(new GatewayError('upstream_reset'), (event, data) => void written.push([event, data]));
    const [[event, data] = []] = written;
    expect(event).to.equal(undefined);
    expect((JSON.parse(data ?? '') as { error: object }).error).to.include({ code: 500, status: 'INTERNAL' });
  });
});
