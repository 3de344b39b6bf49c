import { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { allFunctions, type Monitored } from './monitored.ts';
import { functionsOf, SAVED_QUERIES, type SavedQuery } from './query-table.ts';

/** The saved queries of the table, in a folder of the stack's name. One whose log the stage does not have is left out. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, props: { readonly monitored: Monitored }) {
    super(scope, id);
    for (const query of SAVED_QUERIES) {
      const logGroupNames = logGroupsOf(props.monitored, query.of);
      if (logGroupNames.length === 0) continue;
      new CfnQueryDefinition(this, query.id, {
        name: `${Stack.of(this).stackName}/${query.id}`,
        queryString: query.lines.join('\n| '),
        logGroupNames,
      });
    }
  }
}

function logGroupsOf(monitored: Monitored, of: SavedQuery['of']): string[] {
  if (of === 'access log') return monitored.accessLog ? [monitored.accessLog.logGroup.logGroupName] : [];
  const names: readonly string[] = functionsOf(of);
  return allFunctions(monitored).flatMap(([name, { logGroup }]) =>
    names.includes(name) ? [logGroup.logGroupName] : [],
  );
}
