/**
 * Which service, as which client, with which key: {@link dev.countersign.cli.profile.Connection}
 * and the profiles behind it.
 */
@NullMarked
package dev.countersign.cli.profile;

import org.jspecify.annotations.NullMarked;
