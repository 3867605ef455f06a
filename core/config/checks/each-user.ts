import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
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
const findLonely = (path: Path, list: unknown, beside: readonly unknown[]): readonly Finding[] =>
  readList(list).flatMap((limit, index): readonly Finding[] => {
    if (member(limit, 'each') !== 'user' || member(limit, 'enforce') === false) return [];
    const models = member(limit, 'models');
    if (beside.some((each) => hasTotal(each, models))) return [];
    const at = [...path, index];
    return [
      {
        path: [...at, 'each'],
        severity: 'warning',
        rule: 'each-without-total',
        message:
          `${describePath(at)} counts for each user, and no limit counts all users together: a client can invent ` +
          'users, or name none. Add a limit without "each" beside it.',
      },
    ];
  });

/** The lists of all keys of a project count as one: it has a total if each of them has. */
const joinKeyLists = (project: unknown, otherwise: unknown): unknown => {
  const ofProject = member(project, 'keyLimits') ?? otherwise;
  const lists = entries(member(project, 'keys')).map(([, key]) => member(key, 'limits') ?? ofProject);
  return [...lists, ofProject].find((list) => !hasTotal(list, [])) ?? ofProject;
};

const ofProject = (path: Path, project: unknown, shared: unknown, keyDefault: unknown): readonly Finding[] => {
  const own = member(project, 'limits');
  const around = [own, shared];
  const keyLimits = member(project, 'keyLimits');
  return [
    ...findLonely([...path, 'limits'], own, [...around, joinKeyLists(project, keyDefault)]),
    ...findLonely([...path, 'keyLimits'], keyLimits, [...around, keyLimits]),
    ...entries(member(project, 'keys')).flatMap(([name, key]) => {
      const list = member(key, 'limits');
      return findLonely([...path, 'keys', name, 'limits'], list, [...around, list]);
    }),
  ];
};

/** Beside a limit of each user there must be one of all users. */
export const checkEachUser: Check = ({ data }) => {
  const limits = member(data, 'limits');
  const personal = member(member(member(data, 'admin'), 'personalKeys'), 'limits');
  return [
    ...findLonely(['limits'], limits, [limits]),
    ...findLonely(['admin', 'personalKeys', 'limits'], personal, [personal]),
    ...entries(member(data, 'organizations')).flatMap(([name, organization]) => {
      const path = ['organizations', name];
      const [shared, keyLimits] = [member(organization, 'limits'), member(organization, 'keyLimits')];
      const projects = entries(member(organization, 'projects'));
      const keyDefault = keyLimits ?? limits;
      const ofKeys = projects.map(([, project]) => joinKeyLists(project, keyDefault));
      const total = [...ofKeys, keyDefault].find((list) => !hasTotal(list, [])) ?? keyDefault;
      return [
        ...findLonely([...path, 'limits'], shared, [shared, total]),
        ...findLonely([...path, 'keyLimits'], keyLimits, [keyLimits, shared]),
        ...projects.flatMap(([project, content]) =>
          ofProject([...path, 'projects', project], content, shared, keyDefault),
        ),
      ];
    }),
  ];
};
