import { expect } from 'chai';
import { defineSpelling, foldName } from '../../../core/contracts/request-members.ts';

describe('the names of members', () => {
  it('are folded alike at first and again, also if there are more than are kept, and if they are long', () => {
    const names = Array.from({ length: 2_500 }, (_, at) => `Some_Name_${at}`);
    names.push('Max_Tokens', 'maxTokens', 'K\u212Aey', `${'Long_'.repeat(50)}A`, `${'Long_'.repeat(50)}B`, '');
    const folded = names.map((name) => name.toUpperCase().toLowerCase().replaceAll('_', ''));
    for (const turn of ['first', 'again']) expect(names.map(foldName), turn).to.deep.equal(folded);
  });

  it('keep their underscores where the wire does, whichever way they were folded before', () => {
    const [kept, ignored] = [defineSpelling({ max_tokens: true }), defineSpelling({ maxTokens: true }, 'ignored')];
    expect([ignored.fold('Max_Tokens'), kept.fold('Max_Tokens')]).to.deep.equal(['maxtokens', 'max_tokens']);
    expect([kept.fold('MAX_tokens'), ignored.fold('MAX_tokens')]).to.deep.equal(['max_tokens', 'maxtokens']);
  });
});
