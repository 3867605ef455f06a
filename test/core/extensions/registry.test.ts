import { expect } from 'chai';
import { createRegistry } from '../../../core/extensions/registry.ts';
import type { Framing } from '../../../core/api/codec.ts';

const framing = (name: string): Framing => ({
  name,
  contentType: 'text/plain',
  decoder: () => ({ push: () => undefined, end: () => undefined }),
});
const codec = { operation: 'generate', wire: 'messages' } as const;

describe('createRegistry', () => {
  it('the registry finds a codec by operation and wire', () => {
    const registry = createRegistry();
    const count = { operation: 'count-tokens', wire: 'messages' } as const;
    registry.add({ name: 'one', codecs: [codec, count] });
    expect(registry.codec('generate', 'messages')).to.equal(codec);
    expect(registry.codec('count-tokens', 'messages')).to.equal(count);
    expect(registry.codec('embed', 'messages')).to.equal(undefined);
    expect(registry.codec('generate', 'responses')).to.equal(undefined);
  });

  it('the registry finds the framings of the core and of providers', () => {
    const [own, brought] = [framing('sse'), framing('event-stream')];
    const registry = createRegistry([own]);
    registry.add({ name: 'one', framings: [brought] });
    expect(registry.framing('sse')).to.equal(own);
    expect(registry.framing('event-stream')).to.equal(brought);
    expect(registry.framing('ndjson')).to.equal(undefined);
  });

  it('refuses a second codec for an operation and wire, and adds nothing of its provider', () => {
    const registry = createRegistry();
    registry.add({ name: 'one', codecs: [codec] });
    expect(() => registry.add({ name: 'two', codecs: [{ operation: 'embed', wire: 'embeddings' }, codec] }))
      .to.throw('The provider "two" registers the codec of generate on messages, which "one" has already registered.')
      .with.property('code', 'KOINE_EXTENSION_DUPLICATE');
    expect(registry.codecs).to.deep.equal([codec]);
    expect(registry.codec('embed', 'embeddings')).to.equal(undefined);
  });

  it('refuses a codec that a provider registers twice, and a framing of the core', () => {
    const registry = createRegistry([framing('sse')]);
    expect(() => registry.add({ name: 'one', codecs: [codec, codec] })).to.throw('which "one" has already registered');
    expect(() => registry.add({ name: 'one', framings: [framing('sse')] })).to.throw(
      'which the core has already registered',
    );
  });
});
