import { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Monitored } from './monitored.ts';
import { SAVED_QUERIES, type SavedQuery } from './query-table.ts';

/** The saved queries of the table, in a folder of the stack's name. One whose log the stage does not have is left out. */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, props: { readonly monitored: Monitored }) {
    super(scope, id);
    const logGroups = logGroupsOf(props.monitored);
    for (const query of SAVED_QUERIES) {
      const logGroupNames = logGroups[query.of];
      if (logGroupNames.length === 0) continue;
      new CfnQueryDefinition(this, query.id, {
        name: `${Stack.of(this).stackName}/${query.id}`,
        queryString: query.lines.join('\n| '),
        logGroupNames,
      });
    }
  }
}

function logGroupsOf({
  refresher,
  functions,
  accessLog,
  watch,
}: Monitored): Record<SavedQuery['of'], string[]> {
  const nameOf = (logged: { readonly logGroup: { readonly logGroupName: string } }) =>
    logged.logGroup.logGroupName;
  return {
    refresher: [nameOf(refresher.function)],
    readers: Object.values(functions).map(nameOf),
    'upstream callers': [
      refresher.function,
      functions['get-order-book'],
      functions['get-prices-history'],
    ].map(nameOf),
    watch: watch ? [nameOf(watch)] : [],
    'access log': accessLog ? [nameOf(accessLog)] : [],
  };
}
