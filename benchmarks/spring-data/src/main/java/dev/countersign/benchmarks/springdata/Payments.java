package dev.countersign.benchmarks.springdata;

import org.springframework.data.domain.Limit;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;
import org.springframework.data.repository.NoRepositoryBean;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The payments of one table. */
@NoRepositoryBean
@Transactional(readOnly = true)
interface Payments<T extends Payment> extends Repository<T, Long> {
  Page<T> findByCustomerId(String customer, Pageable page);

  Page<T> findByCustomerIdAndStatus(String customer, String status, Pageable page);

  Window<T> findByCustomerId(String customer, ScrollPosition position, Limit size, Sort sort);

  Window<T> findByCustomerIdAndStatus(
      String customer, String status, ScrollPosition position, Limit size, Sort sort);

  /** The payments of the smallest table. */
  interface OfSmall extends Payments<Payment.Small> {}

  /** The payments of the medium table. */
  interface OfMedium extends Payments<Payment.Medium> {}

  /** The payments of the largest table. */
  interface OfLarge extends Payments<Payment.Large> {}
}
