import { expect } from 'chai';
import { omitUndefined } from '../../../../core/index.ts';
import { createBoard } from '../../../../plugins/failover/admin/fleet-health.ts';
import type { Note } from '../../../../plugins/failover/admin/messages.ts';

const subject = { provider: 'openai', model: 'gpt', credential: 'key-1' };
const circuit = (state: 'open' | 'half-open' | 'closed', until?: number): Note =>
  omitUndefined({
    kind: 'circuit',
    subject,
    state,
    reason: 'transient',
    until,
  });
const cooling = (until: number): Note => ({ kind: 'cooling', subject, reason: 'rate-limit', until });

describe('the board of all circuits of a host', () => {
  it('shows the worst that any process has told', () => {
    const board = createBoard();
    board.note(1, circuit('half-open'));
    board.note(2, circuit('open', 500));
    board.note(3, circuit('closed'));
    expect(board.list(100)).to.deep.equal([{ ...subject, state: 'open', reason: 'transient', until: 500 }]);
  });

  it('shows of two open ones the one that is open for longer', () => {
    const board = createBoard();
    board.note(1, circuit('open', 900));
    board.note(2, circuit('open', 500));
    expect(board.list(100)[0]?.until).to.equal(900);
  });

  it('names the callers that are bound in any process, and none where one process binds all', () => {
    const board = createBoard();
    board.note(1, { ...circuit('open', 500), callers: ['acme/web/alice'] });
    board.note(2, { ...circuit('open', 400), callers: ['acme/web/bob', 'acme/web/alice'] });
    expect(board.list(100)[0]).to.deep.include({ until: 500, callers: ['acme/web/alice', 'acme/web/bob'] });
    board.note(3, circuit('open', 300));
    expect(board.list(100)[0]).to.not.have.property('callers');
  });

  it('believes the latest word of each process', () => {
    const board = createBoard();
    board.note(1, circuit('open', 500));
    board.note(1, circuit('closed'));
    expect(board.list(100)).to.deep.equal([{ ...subject, state: 'closed' }]);
  });

  it('shows a cooldown until it is over, and an open circuit beyond its time, until somebody probes it', () => {
    const board = createBoard();
    board.note(1, cooling(200));
    expect(board.list(199)).to.deep.equal([{ ...subject, state: 'cooling', reason: 'rate-limit', until: 200 }]);
    expect(board.list(200)).to.deep.equal([{ ...subject, state: 'closed' }]);
    board.note(1, circuit('open', 200));
    expect(board.list(300)[0]?.state).to.equal('open');
  });

  it('forgets a process that is gone', () => {
    const board = createBoard();
    board.note(1, circuit('open', 500));
    board.forget(1);
    expect(board.list(100)).to.deep.equal([]);
  });
});
