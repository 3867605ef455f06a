import { playCases, type FuzzOptions, type FuzzReport, type Surface, type SurfaceName } from './play.ts';
import { admin } from './admin/admin.ts';
import { csv } from './csv/csv.ts';
import { filter } from './filter/filter.ts';
import { form } from './form/form.ts';
import { importers } from './importers/importers.ts';
import { jwt } from './jwt/jwt.ts';
import { scim } from './scim/scim.ts';
import { signIn } from './sign-in/sign-in.ts';
import { socket } from './socket/socket.ts';
import { stored } from './stored/stored.ts';
import { answers, requests } from './traffic/traffic.ts';

const surfaces: readonly Surface[] = [
  requests,
  answers,
  form,
  stored,
  socket,
  admin,
  scim,
  signIn,
  jwt,
  filter,
  importers,
  csv,
];

/** Fuzzes one surface. */
export function fuzz(name: SurfaceName, options: FuzzOptions): Promise<FuzzReport> {
  const surface = surfaces.find((each) => each.name === name);
  if (surface === undefined) throw new Error(`There is no surface ${name}.`);
  return playCases(surface, options);
}
