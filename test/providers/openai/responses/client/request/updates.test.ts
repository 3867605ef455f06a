import { expect } from 'chai';
import { createProfile } from '../../../../../../core/testing/index.ts';
import { responsesCodec } from '../../../../../../providers/openai/responses/index.ts';
import { catchError, decode } from '../harness.ts';

const user = (content: string): object => ({ role: 'user', content });
const update = (members: object): object => ({ type: 'configuration_update', id: 'cu_1', ...members });

describe('responses: configuration updates', () => {
  it('the last value of each setting replaces that of the request', () => {
    const request = decode({
      reasoning: { effort: 'high', summary: 'auto' },
      text: { format: { type: 'json_object' }, verbosity: 'low' },
      input: [
        user('a'),
        update({ reasoning: { effort: 'medium' } }),
        user('b'),
        update({ reasoning: { effort: 'low' }, text: { format: { type: 'text' } } }),
        user('c'),
        update({ reasoning: { effort: null }, text: null }),
      ],
    });
    expect(request.reasoning).to.deep.equal({ effort: 'low', show: true });
    expect(request).to.not.have.property('output');
    expect(request.verbosity).to.equal('low');
    expect(request.turns).to.have.length(3);
  });

  it('a translated request of the same wire has them as its own settings', () => {
    const request = decode({ input: [user('a'), update({ reasoning: { effort: 'low' } }), user('b')] });
    const body = responsesCodec.upstream?.encodeRequest(request, createProfile('responses'), () => {}).body;
    expect(body?.['reasoning']).to.deep.equal({ effort: 'low' });
    expect(body?.['input']).to.have.length(2);
  });

  it('members that are not known stay in an item', () => {
    const request = decode({ input: [user('a'), update({ reasoning: { effort: 'low', colour: 'red' } })] });
    expect(request.turns.at(-1)?.parts).to.deep.equal([
      {
        type: 'opaque',
        wire: 'responses',
        value: { type: 'configuration_update', reasoning: { colour: 'red' } },
      },
    ]);
  });

  it('a value that cannot be is refused by its place', () => {
    const refused = (members: object): string | undefined =>
      catchError(() => decode({ input: [user('a'), update(members)] })).param;
    expect(refused({ reasoning: { effort: 'huge' } })).to.equal('input[1].reasoning.effort');
    expect(refused({ reasoning: 1 })).to.equal('input[1].reasoning');
    expect(refused({ text: { format: { type: 'json_schema' } } })).to.equal('input[1].text.format.schema');
    expect(refused({ instructions: 1 })).to.equal('input[1].instructions');
  });
});
