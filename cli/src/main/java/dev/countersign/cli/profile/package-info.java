/**
 * The service, the client and the key of a call: {@link dev.countersign.cli.profile.Connection}
 * reads them from options, the environment and profiles.
 */
@NullMarked
package dev.countersign.cli.profile;

import org.jspecify.annotations.NullMarked;
