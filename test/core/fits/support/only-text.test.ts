import { strict as assert } from 'node:assert';
import type { Part } from '../../../../core/canonical/part.ts';
import { hasOnlyText } from '../../../../core/fits/support/only-text.ts';

const conversation = (...parts: readonly Part[]): Parameters<typeof hasOnlyText>[0] => [
  { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
  { role: 'assistant', parts: [{ type: 'text', text: 'Yes?' }, ...parts] },
];

describe('a conversation that is only text', () => {
  it('has no part of another type', () => {
    assert.equal(hasOnlyText(conversation()), true);
    assert.equal(hasOnlyText(conversation({ type: 'reasoning', text: 'Hm.' })), false);
    assert.equal(hasOnlyText(conversation({ type: 'media', media: { mediaType: 'image/png', url: 'x' } })), false);
  });

  it('has no text with a proof, which the target may have to refuse', () => {
    assert.equal(
      hasOnlyText(conversation({ type: 'text', text: 'Yes.', proof: { origin: undefined, value: 'sealed' } })),
      false,
    );
  });
});
