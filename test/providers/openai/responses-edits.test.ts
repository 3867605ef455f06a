import { expect } from 'chai';
import { createResponsesEdits } from '../../../providers/openai/responses-edits.ts';

const proofs = 'reasoning.encrypted_content';

describe('OpenAI: edits on responses', () => {
  it('responses edits do not request proofs from models that do not reason', () => {
    const edits = createResponsesEdits('gpt-4.1-mini');
    expect(edits({ include: [proofs] })).to.deep.equal([{ member: 'include', value: undefined }]);
    expect(edits({ include: ['web_search_call.results', proofs] })).to.deep.equal([
      { member: 'include', value: ['web_search_call.results'] },
    ]);
    for (const include of [undefined, null, [], ['web_search_call.results'], 'x'])
      expect(edits({ include })).to.deep.equal([]);
  });

  it('responses edits leave other members and unknown models alone', () => {
    for (const model of ['o3', 'gpt-5', 'some-model'])
      expect(createResponsesEdits(model)({ include: [proofs] }), model).to.deep.equal([]);
  });
});
