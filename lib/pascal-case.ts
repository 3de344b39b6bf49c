/** A name as a logical id of CloudFormation: `GetOrderBook` for `get-order-book`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
