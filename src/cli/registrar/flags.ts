/** The flags of `muster registrar`. */
import { Argument, type Command } from 'commander';
import { claimDialects } from '../../api/dialects.ts';
import { PLAIN_FORMATS } from '../../report/formats.ts';
import { contextFlag, Flag, kubeconfigFlag, outputFlag, refuseIdle } from '../flags.ts';
import type { RegistrarAction, RegistrarFlags } from './run.ts';

const HELP = `
list      who holds which id of which ClusterSet, since when, and whether it is confirmed
sync      one round of this cluster: confirms what its membership needs, releases what it no longer needs
release   deletes a reservation whose holder is gone
takeover  makes this cluster the holder, in the place of one that is gone; it has 120 s to join then

release and takeover name the holder that is to go, so that a typo releases nobody. Its cluster must not be a member any
more: nothing else keeps two clusters from having one id then.

Examples:
  muster registrar list --config muster.yaml
  muster registrar list --config muster.yaml -o json
  muster registrar sync --config muster.yaml --context east
  muster registrar release east --cluster-set fleet --holder 6f0a2f4e-54b8-4d0a-8a4c-0a6c7a3e7a53 --config muster.yaml
  muster registrar takeover east --cluster-set fleet --holder 6f0a2f4e-54b8-4d0a-8a4c-0a6c7a3e7a53 --config muster.yaml

Exit codes:
  0  done
  1  not done: another cluster holds the id, or nobody does
  2  bad usage, or no connection to the hub or the cluster`;

const ACTIONS: readonly RegistrarAction[] = ['list', 'sync', 'release', 'takeover'];
const GROUPS = claimDialects.map(({ group }) => group);

/** The actions that flags are for. A flag that is not listed is for all actions. */
const FOR: readonly (readonly [actions: readonly RegistrarAction[], flags: readonly string[]])[] = [
  [
    ['sync', 'takeover'],
    ['--kubeconfig', '--context'],
  ],
  [
    ['release', 'takeover'],
    ['--cluster-set', '--holder', '--api-group'],
  ],
  [['list'], ['--output']],
];

/** Adds `registrar` to the program. Sets the process's exit code. */
export function registerRegistrar(program: Command): void {
  program
    .command('registrar')
    .summary('show and change the reservations of ids at the hub')
    .description(
      'Shows the ids that the members of a ClusterSet have reserved at the hub, and changes them by hand where a ' +
        'cluster is gone. The configuration names the hub, as for muster serve.',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(ACTIONS))
    .argument('[cluster-id]', 'release, takeover: the id')
    .option('--config <file>', 'the MusterConfiguration whose registrar names the hub')
    .option('--cluster-set <name>', 'release, takeover: the ClusterSet')
    .option('--holder <uid>', 'release, takeover: who has to hold the id, as list shows it')
    .addOption(
      new Flag(
        '--api-group <group>',
        'release, takeover: the API of the id (default: the only one that has it)',
      ).choices(GROUPS),
    )
    .addOption(outputFlag(PLAIN_FORMATS))
    .addOption(kubeconfigFlag('sync, takeover: the member and the user'))
    .addOption(contextFlag())
    .addHelpText('after', HELP)
    .action(async (action: RegistrarAction, id: string | undefined, flags: RegistrarFlags, command: Command) => {
      for (const [actions, ofThem] of FOR) {
        const reason = `is for muster registrar ${actions.join(' and ')}: leave it out of ${action}`;
        if (!actions.includes(action)) refuseIdle(command, ofThem, reason);
      }
      const { registrarCommand } = await import('./run.ts');
      process.exitCode = await registrarCommand(action, id, flags);
    });
}
