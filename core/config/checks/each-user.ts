import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import type { CheckContext } from './check.ts';
import { entries, member } from './tolerant.ts';

/** Whether some limit of a list counts the requests of a limit of each user together. */
const hasTotal = (list: unknown, models: unknown): boolean =>
  readList(list).some((limit) => {
    const of = readList(member(limit, 'models'));
    return (
      member(limit, 'each') === undefined &&
      member(limit, 'enforce') !== false &&
      (of.length === 0 || JSON.stringify(of) === JSON.stringify(readList(models)))
    );
  });

/** @param beside lists that apply to all requests of this one, itself among them */
function* findLonely(path: Path, list: unknown, beside: readonly unknown[]): Iterable<Finding> {
  for (const [index, limit] of readList(list).entries()) {
    if (member(limit, 'each') !== 'user' || member(limit, 'enforce') === false) continue;
    const models = member(limit, 'models');
    if (beside.some((each) => hasTotal(each, models))) continue;
    const at = [...path, index];
    const message =
      `${describePath(at)} counts for each user, and no limit counts all users together: a client can invent ` +
      'users, or name none. Add a limit without "each" beside it.';
    yield { path: [...at, 'each'], severity: 'warning', rule: 'each-without-total', message };
  }
}

/** The lists of all keys of a project count as one: it has a total if each of them has. */
const joinKeyLists = (project: unknown, otherwise: unknown): unknown => {
  const ofProject = member(project, 'keyLimits') ?? otherwise;
  const lists = entries(member(project, 'keys')).map(([, key]) => member(key, 'limits') ?? ofProject);
  return [...lists, ofProject].find((list) => !hasTotal(list, [])) ?? ofProject;
};

function* checkProject(path: Path, project: unknown, shared: unknown, keyDefault: unknown): Iterable<Finding> {
  const own = member(project, 'limits');
  const around = [own, shared];
  const keyLimits = member(project, 'keyLimits');
  yield* findLonely([...path, 'limits'], own, [...around, joinKeyLists(project, keyDefault)]);
  yield* findLonely([...path, 'keyLimits'], keyLimits, [...around, keyLimits]);
  for (const [name, key] of entries(member(project, 'keys'))) {
    const list = member(key, 'limits');
    yield* findLonely([...path, 'keys', name, 'limits'], list, [...around, list]);
  }
}

/** Beside a limit of each user there must be one of all users. */
export function* checkEachUser({ data }: CheckContext): Iterable<Finding> {
  const limits = member(data, 'limits');
  const personal = member(member(member(data, 'admin'), 'personalKeys'), 'limits');
  yield* findLonely(['limits'], limits, [limits]);
  yield* findLonely(['admin', 'personalKeys', 'limits'], personal, [personal]);
  for (const [name, organization] of entries(member(data, 'organizations'))) {
    const path = ['organizations', name];
    const [shared, keyLimits] = [member(organization, 'limits'), member(organization, 'keyLimits')];
    const projects = entries(member(organization, 'projects'));
    const keyDefault = keyLimits ?? limits;
    const ofKeys = projects.map(([, project]) => joinKeyLists(project, keyDefault));
    const total = [...ofKeys, keyDefault].find((list) => !hasTotal(list, [])) ?? keyDefault;
    yield* findLonely([...path, 'limits'], shared, [shared, total]);
    yield* findLonely([...path, 'keyLimits'], keyLimits, [keyLimits, shared]);
    for (const [project, content] of projects)
      yield* checkProject([...path, 'projects', project], content, shared, keyDefault);
  }
}
